/** Which column is which field, with what becomes of the first lines. */
import { NativeSelect, TextInput } from '@mantine/core';
import { texts } from '../texts.ts';
import { cellOf, FIELDS, type Field, type ImportKind, type Mapping, type Source } from './mapping.ts';
import type { TableFile } from './table-file.ts';

const FIXED = 'fixed';

type Props = {
  readonly table: TableFile & { readonly format: 'table' };
  readonly kind: ImportKind;
  readonly mapping: Mapping;
  readonly onChange: (mapping: Mapping) => void;
};

export function ImportColumns(props: Props) {
  const words = texts.imports;
  const { table, kind } = props;
  return (
    <div className="table-frame">
      <table className="table mapping" aria-label={words.columns}>
        <thead>
          <tr>
            <th scope="col">{words.field}</th>
            <th scope="col">{words.column}</th>
            {table.samples.map((_, index) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: lines have no other name
              <th key={index} scope="col" className="minor">
                {words.sample(index + 1)}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {FIELDS[kind].map((field) => (
            <FieldRow key={field.name} field={field} {...props} />
          ))}
        </tbody>
      </table>
    </div>
  );
}

function FieldRow({ field, table, mapping, onChange }: Props & { readonly field: Field }) {
  const words = texts.imports;
  const { name, isRequired, usual = '' } = field;
  const source = mapping[name];
  const set = (next: Source | undefined) => onChange({ ...mapping, [name]: next });
  return (
    <tr>
      <th scope="row">
        {name}
        {isRequired ? <span className="required"> {words.required}</span> : null}
      </th>
      <td>
        <NativeSelect
          size="xs"
          aria-label={words.columnOf(name)}
          value={source === undefined ? '' : 'text' in source ? FIXED : String(source.column)}
          data={[
            { value: '', label: words.noColumn },
            ...table.head.map((column, index) => ({
              value: String(index),
              label: column === '' ? words.unnamed(index + 1) : column,
            })),
            { value: FIXED, label: words.fixed },
          ]}
          onChange={({ currentTarget: { value } }) =>
            set(value === '' ? undefined : value === FIXED ? { text: usual } : { column: Number(value) })
          }
        />
        {source !== undefined && 'text' in source ? (
          <TextInput
            size="xs"
            aria-label={words.fixedOf(name)}
            value={source.text}
            onChange={({ currentTarget }) => set({ text: currentTarget.value })}
          />
        ) : null}
      </td>
      {table.samples.map((row, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: lines have no other name
        <td key={index} className="minor">
          <Sample field={field} mapping={mapping} row={row} />
        </td>
      ))}
    </tr>
  );
}

/** What is in the file, and what is sent where that differs. */
function Sample(props: {
  readonly field: Field;
  readonly mapping: Mapping;
  readonly row: readonly string[];
}) {
  const { field, mapping, row } = props;
  const source = mapping[field.name];
  const cell = cellOf(field, mapping, row);
  const was = source !== undefined && 'column' in source ? (row[source.column] ?? '').trim() : cell;
  if (was === cell) return cell;
  return (
    <>
      <span className="hint">{was} →</span> {cell}
    </>
  );
}
