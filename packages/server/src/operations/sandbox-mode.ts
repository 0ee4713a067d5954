/** Live mode loads no sandbox code. */
import type { OperationName } from '@keyport/contract/operations';
import type { OperationSpec } from '@keyport/contract/operations/operation-spec';
import type { Reply } from '@keyport/http/replies/reply';
import type { Exchange } from '@keyport/http/server/exchange';
import type { MaybePromise } from '@keyport/http/server/maybe-promise';
import type { Principal } from '@keyport/http/server/principal';
import type { Rehearsal, SandboxHandlers } from './operation.ts';

export type PermittedRequest = {
  readonly operation: OperationSpec & { readonly name: OperationName };
  readonly exchange: Exchange;
  readonly principal: Principal;
  readonly check: () => MaybePromise<unknown>;
};

export type SandboxMode = {
  readonly handlers: SandboxHandlers;
  readonly rehearse: (
    request: PermittedRequest,
    carryOut: (rehearsal?: Rehearsal) => MaybePromise<Reply>,
  ) => Promise<Reply>;
};
