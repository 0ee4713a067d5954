import type { SandboxHandlers } from '../../operations/operation.ts';
import { type CheckupDeps, runCheckup, runCheckupOfClient } from './run-checkup.ts';

export function buildCheckupHandlers(deps: CheckupDeps) {
  return {
    async getCheckup({ principal: { clientId, accountId }, query: { since } }) {
      return { status: 200, data: await runCheckup(deps, { clientId, accountId, since }) };
    },
    async getClientCheckup({ params: { clientId }, query: { since } }) {
      return { status: 200, data: await runCheckupOfClient(deps, { clientId, since }) };
    },
  } satisfies Partial<SandboxHandlers>;
}
