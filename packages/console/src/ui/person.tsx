/** The name of an operator, or the id of a client. */
import { useLive } from '../api/queries.ts';

const NAMES_MAX = 100;

/** The first hundred. */
export function useOperatorNames() {
  return useLive(['operators', 'names'], (client, signal) =>
    client.listOperators({ query: { itemsPerPage: NAMES_MAX } }, { signal }),
  );
}

export function Person({ id }: { readonly id: string }) {
  const { data } = useOperatorNames();
  const operator = data?.data.find((one) => one.id === id);
  return operator === undefined ? (
    <code title={id}>{id.slice(0, 16)}</code>
  ) : (
    <span title={operator.email}>{operator.name}</span>
  );
}
