import { useRead } from '../api/queries.ts';
import { Isolated } from './values.tsx';

const NAMES_MAX = 100;

function useOperatorNames() {
  return useRead('listOperators', { query: { itemsPerPage: NAMES_MAX } });
}

export function Person({ id }: { readonly id: string }) {
  const { data } = useOperatorNames();
  const operator = data?.data.find((one) => one.id === id);
  return operator === undefined ? (
    <code title={id}>{id.slice(0, 16)}</code>
  ) : (
    <span title={operator.email}>
      <Isolated>{operator.name}</Isolated>
    </span>
  );
}
