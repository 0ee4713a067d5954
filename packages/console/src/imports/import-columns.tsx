import type { ImportKind } from '@keyport/contract/catalogue/imports';
import { NativeSelect, TextInput } from '@mantine/core';
import { useState } from 'react';
import { findOffers, findSellers } from '../catalogue/choices.ts';
import { type Choice, SearchSelect } from '../forms/search-select.tsx';
import { Hint } from '../ui/hint.tsx';
import { FIELDS, type Field, likelyColumns, type Mapping, type Source, toCell } from './mapping.ts';
import type { TableFile } from './table-file.ts';
import { texts } from './texts.ts';

const FIXED = 'fixed';

type Props = {
  readonly table: TableFile & { readonly format: 'table' };
  readonly kind: ImportKind;
  readonly mapping: Mapping;
  readonly onChange: (mapping: Mapping) => void;
};

export function ImportColumns(props: Props) {
  const { table, kind } = props;
  return (
    <div className="table-frame">
      <table className="table mapping" aria-label={texts.columns}>
        <thead>
          <tr>
            <th scope="col">{texts.field}</th>
            <th scope="col">{texts.column}</th>
            {table.samples.map((_, index) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: lines have no other name
              <th key={index} scope="col" className="minor">
                {texts.sample(index + 1)}
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
  const { name, isRequired, hint, usual = '' } = field;
  const source = mapping[name];
  const set = (next: Source | undefined) => onChange({ ...mapping, [name]: next });
  return (
    <tr>
      <th scope="row">
        {name}
        {isRequired ? <Hint span> {texts.required}</Hint> : null}
        {hint === undefined ? null : <Hint>{hint}</Hint>}
      </th>
      <td>
        <NativeSelect
          size="xs"
          aria-label={texts.toColumn(name)}
          value={source === undefined ? '' : 'text' in source ? FIXED : String(source.column)}
          data={[
            { value: '', label: texts.noColumn },
            ...table.head.map((column, index) => ({
              value: String(index),
              label: column === '' ? texts.unnamed(index + 1) : column,
            })),
            { value: FIXED, label: texts.fixed },
          ]}
          onChange={({ currentTarget: { value } }) =>
            set(value === '' ? undefined : value === FIXED ? { text: usual } : { column: Number(value) })
          }
        />
        {source === undefined ? <Likely field={field} table={table} /> : null}
        {source !== undefined && 'text' in source ? (
          name in CHOICES ? (
            <IdChoice name={name} id={source.text} onChoose={(text) => set({ text })} />
          ) : (
            <TextInput
              size="xs"
              aria-label={texts.fixedOf(name)}
              value={source.text}
              onChange={({ currentTarget }) => set({ text: currentTarget.value })}
            />
          )
        ) : null}
      </td>
      {table.samples.map((row, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: lines have no other name
        <td key={index} className="minor">
          {toCell(field, mapping, row)}
        </td>
      ))}
    </tr>
  );
}

/** Explains why no column was guessed. */
function Likely({ field, table }: Pick<Props, 'table'> & { readonly field: Field }) {
  const columns = likelyColumns(field, table.head, table.samples);
  if (columns.length < 2) return null;
  const names = columns.map((column) => table.head[column] || texts.unnamed(column + 1));
  return <Hint>{texts.likely(names)}</Hint>;
}

const CHOICES: Readonly<Record<string, Pick<Parameters<typeof SearchSelect>[0], 'label' | 'find'>>> = {
  sellerId: { label: texts.seller, find: findSellers },
  offerId: { label: texts.offer, find: findOffers },
};

function IdChoice(props: {
  readonly name: string;
  readonly id: string;
  readonly onChoose: (id: string) => void;
}) {
  const { name, id, onChoose } = props;
  const [chosen, setChosen] = useState<Choice>();
  const choices = CHOICES[name];
  if (choices === undefined) return null;
  return (
    <SearchSelect
      {...choices}
      isCompact
      name={name}
      chosen={chosen?.id === id ? chosen : undefined}
      error={undefined}
      onChoose={(choice) => {
        setChosen(choice);
        onChoose(choice.id);
      }}
    />
  );
}
