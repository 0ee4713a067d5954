/** Shows, replaces and finds keys of orders for operators. */
import { invalidField } from '@keyport/http/replies/api-error';
import type { OperationHandlers } from '../../operations/operation.ts';
import { type FindKeyDeps, findKey, listOrderKeys } from './find-key.ts';
import { type ReplaceKeyDeps, replaceKey } from './replace-key.ts';

export type SoldKeysDeps = FindKeyDeps & ReplaceKeyDeps;

export function buildSoldKeysHandlers(
  deps: SoldKeysDeps,
): Pick<OperationHandlers, 'listOrderKeys' | 'replaceKey' | 'findKey'> {
  return {
    listOrderKeys: async ({ params }) => ({ status: 200, data: await listOrderKeys(deps, params.orderId) }),
    replaceKey(request) {
      const { keyId, code } = request.body;
      if (keyId !== undefined && code !== undefined)
        throw invalidField('body.code', 'cannot be combined with keyId; name the key by one of them');
      return (tx) => replaceKey(tx, { ...request, ...request.params }, deps);
    },
    findKey: async (request) => ({ status: 200, data: await findKey(deps, request) }),
  };
}
