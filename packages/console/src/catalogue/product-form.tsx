import { SimpleGrid, Stack, Text, Textarea, TextInput } from '@mantine/core';
import { type ChangeEvent, type ReactNode, useLayoutEffect, useRef } from 'react';
import { SelectField } from '../forms/fields.tsx';
import { common } from '../texts.ts';
import { Hint } from '../ui/hint.tsx';
import {
  ADDRESS_FIELDS,
  ADDRESSES_FIELDS,
  type FieldName,
  type ProductChanges,
  type ProductForm,
  REQUIREMENT_FIELDS,
  REQUIREMENT_LEVELS,
  RESTRICTION_FIELDS,
  TEXT_FIELDS,
  toRequirementFields,
} from './product-fields.ts';
import { texts } from './texts.ts';

type Shared = {
  readonly form: ProductForm;
  readonly change: (changes: ProductChanges) => void;
  readonly errors: Readonly<Record<string, string>>;
};

const words = texts.catalogueForms;

export function ProductFields({ hasFocus = false, ...shared }: Shared & { readonly hasFocus?: boolean }) {
  const { form, change } = shared;
  const labels = texts.catalogue;
  const line = (name: Exclude<FieldName, 'name' | `${string}.${string}`>, description?: string) => (
    <Line key={name} {...shared} name={name} label={labels[name]} description={description} />
  );
  return (
    <>
      <Line {...shared} name="name" label={common.name} hasFocus={hasFocus} />
      <SelectField
        label={labels.checkoutClass}
        description={words.classHint}
        value={form.checkoutClass}
        choices={labels.checkoutClasses}
        onChange={({ currentTarget }) => change({ checkoutClass: currentTarget.value })}
      />
      <SimpleGrid minColWidth={180} spacing={14} verticalSpacing={14} style={{ alignItems: 'end' }}>
        {TEXT_FIELDS.map((name) => line(name))}
      </SimpleGrid>
      <Lines {...shared} name="categories" label={labels.categories} description={words.categoriesHint} />
      {line('slug', words.slugHint)}
      <Group title={labels.media} names={[...ADDRESS_FIELDS, ...ADDRESSES_FIELDS]} {...shared}>
        {ADDRESS_FIELDS.map((name) => line(name, words.addressHints[name]))}
        {ADDRESSES_FIELDS.map((name) => (
          <Lines key={name} {...shared} name={name} label={labels[name]} description={words.addressesHint} />
        ))}
      </Group>
      <Group title={labels.restrictions} names={RESTRICTION_FIELDS} {...shared}>
        {line('rating', words.ratingHint)}
        <Lines
          {...shared}
          name="descriptors"
          label={labels.descriptors}
          description={words.descriptorsHint}
        />
      </Group>
      <Group title={labels.requirements} names={REQUIREMENT_FIELDS.map(({ name }) => name)} {...shared}>
        {REQUIREMENT_LEVELS.map((level) => (
          <fieldset key={level}>
            <Text component="legend" fw={600} mb={6}>
              {labels.requirementLevels[level]}
            </Text>
            <SimpleGrid minColWidth={180} spacing={14} verticalSpacing={14} style={{ alignItems: 'end' }}>
              {toRequirementFields(level).map(({ part, name }) => (
                <Lines key={name} {...shared} name={name} label={labels.requirementParts[part]} />
              ))}
            </SimpleGrid>
          </fieldset>
        ))}
      </Group>
    </>
  );
}

type FieldProps = Shared & {
  readonly name: FieldName;
  readonly label: string;
  readonly description?: string | undefined;
};

function Line(props: FieldProps & { readonly hasFocus?: boolean }) {
  const { hasFocus = false, ...field } = props;
  const type = props.name === 'releaseDate' ? 'date' : 'text';
  return <TextInput {...boundTo(field)} type={type} data-autofocus={hasFocus || undefined} />;
}

function Lines(props: FieldProps) {
  return <Textarea {...boundTo(props)} data-field={props.name} autosize minRows={1} maxRows={8} />;
}

function boundTo({ form, change, errors, name, ...shown }: FieldProps) {
  return {
    ...shown,
    name,
    autoComplete: 'off',
    value: form[name],
    error: errors[name],
    onChange: ({ currentTarget }: ChangeEvent<HTMLInputElement | HTMLTextAreaElement>) =>
      change({ [name]: currentTarget.value }),
  };
}

type GroupProps = Shared & {
  readonly title: string;
  readonly names: readonly FieldName[];
  readonly children: ReactNode;
};

function Group({ title, names, form, errors, children }: GroupProps) {
  const details = useRef<HTMLDetailsElement>(null);
  const filled = names.filter((name) => form[name].trim() !== '').length;
  const isWrong = names.some((name) => errors[name] !== undefined);
  const openIfWrong = () => {
    if (isWrong && details.current !== null) details.current.open = true;
  };
  useLayoutEffect(openIfWrong);
  return (
    <details ref={details} onToggle={openIfWrong}>
      <Text component="summary" fw={600} lh="24px" style={{ cursor: 'pointer' }}>
        {title} <Hint span>{words.filled(filled)}</Hint>
      </Text>
      <Stack pt={10}>{children}</Stack>
    </details>
  );
}
