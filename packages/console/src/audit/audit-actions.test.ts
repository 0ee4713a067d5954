import { ok } from 'node:assert/strict';
import { AUDIT_ACTIONS } from '@keyport/contract/operators/audit';
import { test } from 'vitest';
import { texts } from './texts.ts';

test('every action of the audit log has a text', () => {
  for (const action of AUDIT_ACTIONS) ok(action in texts.actions, action);
});
