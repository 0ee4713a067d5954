import {
  Checkbox,
  Fieldset,
  NativeSelect,
  Radio,
  SimpleGrid,
  Stack,
  Textarea,
  TextInput,
} from '@mantine/core';
import { Suspense } from 'react';
import { lazyPart } from '../shell/lazy.ts';
import { type BodyDraft, type Field, toWords } from './body-form.ts';
import type { Fields } from './fields.tsx';
import type { Choice } from './search-select.tsx';

const SearchSelect = lazyPart(async () => (await import('./search-select.tsx')).SearchSelect);

const ALL = '*';

type Props = Fields<BodyDraft> & { readonly shown: readonly Field[]; readonly hasFocus: boolean };

/** `hasFocus`: the first field has the focus. */
export function BodyFields(props: Props) {
  const { shown, errors } = props;
  return [...Map.groupBy(shown, ({ group }) => group)].map(([group = '', fields]) => {
    const rows = <Rows key={group} {...props} fields={fields} />;
    if (group === '') return rows;
    if (fields[0]?.isRare !== true)
      return (
        <Fieldset key={group} legend={group} variant="unstyled">
          {rows}
        </Fieldset>
      );
    return (
      // A folded field cannot show what is wrong with it.
      <details key={group} open={fields.some(({ name }) => errors[name] !== undefined) || undefined}>
        <summary>{group}</summary>
        {rows}
      </details>
    );
  });
}

function Rows({ fields, shown, hasFocus, ...form }: Props & { readonly fields: readonly Field[] }) {
  return (
    <Stack>
      {toRows(fields).map((row) => {
        const cells = row.map((field) => (
          <Input key={field.name} {...form} field={field} hasFocus={hasFocus && field === shown[0]} />
        ));
        return row.length < 2 ? (
          cells
        ) : (
          <SimpleGrid
            key={row[0]?.name}
            minColWidth={180}
            spacing={14}
            verticalSpacing={14}
            style={{ alignItems: 'start' }}
          >
            {cells}
          </SimpleGrid>
        );
      })}
    </Stack>
  );
}

/** Numbers and amounts that follow each other share rows. */
function toRows(fields: readonly Field[]): readonly (readonly Field[])[] {
  const isShort = ({ format, schema }: Field) =>
    format === 'money' || format === 'percent' || schema.type === 'integer';
  return fields.reduce<Field[][]>((rows, field) => {
    const last = rows.at(-1);
    if (last?.[0] !== undefined && isShort(field) && isShort(last[0])) last.push(field);
    else rows.push([field]);
    return rows;
  }, []);
}

function Input(props: Fields<BodyDraft> & { readonly field: Field; readonly hasFocus: boolean }) {
  const { draft, change, errors, hasFocus } = props;
  const { name, label, help, schema, format, labels = {}, find } = props.field;
  const value = draft[name] ?? null;
  const shared = { label, description: help, error: errors[name], 'data-autofocus': hasFocus || undefined };
  const set = ({ currentTarget }: { readonly currentTarget: { readonly value: string } }) =>
    change({ [name]: currentTarget.value });
  if (find !== undefined)
    return (
      <Suspense>
        <SearchSelect
          name={name}
          label={label}
          description={help}
          hasFocus={hasFocus}
          chosen={(value as Choice | null) ?? undefined}
          error={errors[name]}
          find={find}
          onChoose={(choice) => change({ [name]: { id: choice.id, name: choice.name } })}
        />
      </Suspense>
    );
  if (typeof value === 'boolean')
    return (
      <Checkbox
        {...shared}
        name={name}
        checked={value}
        onChange={({ currentTarget }) => change({ [name]: currentTarget.checked })}
      />
    );
  const text = { ...shared, name, value: String(value ?? ''), onChange: set };
  const choices = Object.entries(labels);
  if (format === 'radio')
    return (
      <Radio.Group
        label={label}
        name={name}
        error={errors[name]}
        data-invalid={errors[name] !== undefined}
        value={text.value}
        onChange={(chosen) => change({ [name]: chosen })}
      >
        <Stack gap={6} my={6}>
          {choices.map(([choice, text]) => (
            <Radio key={choice} value={choice} label={text} />
          ))}
        </Stack>
      </Radio.Group>
    );
  if (schema.type === 'array' && choices.length > 0)
    return (
      <Checkbox.Group
        label={label}
        error={errors[name]}
        data-field={name}
        data-invalid={errors[name] !== undefined}
        value={toWords(text.value)}
        onChange={(chosen) => change({ [name]: withAll(chosen).join('\n') })}
      >
        <Stack gap={6} mt={6}>
          {choices.map(([choice, text]) => (
            <Checkbox key={choice} value={choice} label={text} />
          ))}
        </Stack>
      </Checkbox.Group>
    );
  if (choices.length > 0)
    return <NativeSelect {...text} data={choices.map(([value, label]) => ({ value, label }))} />;
  if (schema.type === 'array') return <Textarea {...text} data-field={name} autosize minRows={3} />;
  return (
    <TextInput
      {...text}
      autoComplete="off"
      inputMode={
        schema.type === 'integer' && format === undefined
          ? 'numeric'
          : format === undefined
            ? undefined
            : 'decimal'
      }
    />
  );
}

/** All values and single ones exclude each other: the choice that came last wins. */
function withAll(chosen: readonly string[]): readonly string[] {
  return chosen.at(-1) === ALL ? [ALL] : chosen.filter((value) => value !== ALL);
}
