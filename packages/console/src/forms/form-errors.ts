/** Errors of the service by field, for the form that sent the fields. */
import { KeyportError } from '@keyport/sdk-source/requests/errors';
import { wordProblem, wordRule } from '../ui/wording.ts';
import { texts } from './texts.ts';

export type FormErrors = {
  readonly fields: Readonly<Record<string, string>>;
  /** Errors that concern no field of the form, as sentences. */
  readonly rest: readonly string[];
};

export function formErrors(error: unknown, hasField: (name: string) => boolean): FormErrors {
  const fields: Record<string, string> = {};
  const rest: string[] = [];
  for (const { field = '', message } of error instanceof KeyportError ? error.errors : []) {
    const path = field.replace(/^(body|query|path|headers)\./, '');
    const rule = message.startsWith(`${field} `) ? message.slice(field.length + 1) : undefined;
    const name = namesIn(path).find(hasField);
    if (name === undefined) rest.push(wordProblem(message));
    else fields[name] ??= rule === undefined ? wordProblem(message) : wordRule(rule, toSubject(path, name));
  }
  return { fields, rest };
}

/** Returns the whole path (such as `limits.dailySpendMax`), its last part and its first part. */
function namesIn(path: string): string[] {
  const parts = path.replaceAll(/\[\d+\]/g, '').split('.');
  return [parts.join('.'), parts.at(-1) ?? '', parts[0] ?? ''];
}

/** The entry of a list, if the path names one. */
function toSubject(path: string, name: string): string | undefined {
  const part = path.split('.').find((one) => one.startsWith(`${name}[`));
  const [, place] = /\[(\d+)\]$/.exec(part ?? '') ?? [];
  return place === undefined ? undefined : texts.action.entry(Number(place) + 1);
}

export function hasFieldIn(form: HTMLFormElement | null): (name: string) => boolean {
  return (name) =>
    form?.querySelector(`[name="${CSS.escape(name)}"], [data-field="${CSS.escape(name)}"]`) != null;
}
