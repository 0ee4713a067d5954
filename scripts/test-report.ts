/** At the end of a run, prints skipped and failed tests, the slowest files, the projects and the totals. */
import type { Reporter, TestModule, TestRunEndReason } from 'vitest/node';

const SLOWEST_FILES = 10;
const LONGEST_MESSAGE = 400;

export class TestReport implements Reporter {
  onTestRunEnd(modules: readonly TestModule[], errors: readonly unknown[], reason: TestRunEndReason): void {
    const count = { passed: 0, failed: errors.length, skipped: 0, pending: 0 };
    // Printed last, so that a truncated log still shows them.
    const failures = errors.map((error) => `failed: ${inOneLine(error)}`);
    for (const module of modules) {
      if (module.errors().length > 0) {
        count.failed += 1;
        failures.push(`failed ${toName(module)}: ${inOneLine(module.errors()[0])}`);
      }
      for (const test of module.children.allTests()) {
        const result = test.result();
        count[result.state] += 1;
        if (result.state === 'failed')
          failures.push(`failed ${toName(module)} › ${test.fullName}: ${inOneLine(result.errors[0])}`);
        if (result.state === 'skipped')
          console.log(`skipped ${toName(module)} › ${test.fullName}${result.note ? `: ${result.note}` : ''}`);
      }
      for (const suite of module.children.allSuites()) {
        if (suite.errors().length === 0) continue;
        count.failed += 1;
        failures.push(`failed ${toName(module)} › ${suite.fullName}: ${inOneLine(suite.errors()[0])}`);
      }
    }
    const slowest = modules
      .map((module) => ({
        name: toName(module),
        project: module.project.name,
        seconds: module.diagnostic().duration / 1000,
      }))
      .sort((one, other) => other.seconds - one.seconds);
    console.log('\nThe slowest files:');
    for (const { name, seconds } of slowest.slice(0, SLOWEST_FILES)) printTime(seconds, name);
    // Two workers share the projects, so a run takes about half of their sum.
    console.log('\nThe projects:');
    for (const [project, files] of Map.groupBy(slowest, ({ project }) => project))
      printTime(
        files.reduce((sum, { seconds }) => sum + seconds, 0),
        project,
      );
    if (reason === 'interrupted') console.log('The run was interrupted.');
    if (failures.length > 0) console.log(`\n${failures.join('\n')}`);
    const skipped = count.skipped > 0 ? `, ${count.skipped} skipped` : '';
    console.log(`\n${count.passed} passed, ${count.failed} failed${skipped}`);
  }
}

function printTime(seconds: number, name: string): void {
  console.log(`  ${seconds.toFixed(1).padStart(6)} s  ${name}`);
}

function inOneLine(error: unknown): string {
  const message = typeof error === 'object' && error !== null && 'message' in error ? error.message : error;
  return String(message).replace(/\s+/g, ' ').slice(0, LONGEST_MESSAGE);
}

function toName(module: TestModule): string {
  return `${module.project.name} ${module.relativeModuleId}`;
}
