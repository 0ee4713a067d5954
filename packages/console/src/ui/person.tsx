/** Who did something: the name of a person, or the id of a program. */
import { useLive } from '../api/queries.ts';

const NAMES_MAX = 100;

export function Person({ id }: { readonly id: string }) {
  const { data } = useLive(['operators', 'names'], (client, signal) =>
    client.listOperators({ query: { itemsPerPage: NAMES_MAX } }, { signal }),
  );
  const operator = data?.data.find((one) => one.id === id);
  return operator === undefined ? (
    <code title={id}>{id.slice(0, 16)}</code>
  ) : (
    <span title={operator.email}>{operator.name}</span>
  );
}
