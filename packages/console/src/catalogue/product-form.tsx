import { Textarea, TextInput } from '@mantine/core';
import { type ChangeEvent, type ReactNode, useLayoutEffect, useRef } from 'react';
import { SelectField } from '../forms/fields.tsx';
import { texts } from '../texts.ts';
import {
  ADDRESS_FIELDS,
  ADDRESSES_FIELDS,
  type FieldName,
  type ProductChanges,
  type ProductForm,
  REQUIREMENT_FIELDS,
  REQUIREMENT_LEVELS,
  RESTRICTION_FIELDS,
  requirementFieldsOf,
  TEXT_FIELDS,
} from './product-fields.ts';
import './catalogue.css';

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
      <Line {...shared} name="name" label="Name" hasFocus={hasFocus} />
      <SelectField
        label={labels.checkoutClass}
        description="Only standard products can be ordered through the API."
        value={form.checkoutClass}
        choices={labels.checkoutClasses}
        onChange={({ currentTarget }) => change({ checkoutClass: currentTarget.value })}
      />
      <div className="field-grid">{TEXT_FIELDS.map((name) => line(name))}</div>
      <Lines {...shared} name="categories" label={labels.categories} description="One per line." />
      {line('slug', 'Used in addresses. If empty, it is made from the name.')}
      <Group title="Pictures and videos" names={[...ADDRESS_FIELDS, ...ADDRESSES_FIELDS]} {...shared}>
        {ADDRESS_FIELDS.map((name) => line(name, words.addressHints[name]))}
        {ADDRESSES_FIELDS.map((name) => (
          <Lines
            key={name}
            {...shared}
            name={name}
            label={labels[name]}
            description="Addresses, one per line."
          />
        ))}
      </Group>
      <Group title="Age rating" names={RESTRICTION_FIELDS} {...shared}>
        {line('rating', 'Such as PEGI 16.')}
        <Lines
          {...shared}
          name="descriptors"
          label={labels.descriptors}
          description="One per line, such as Violence."
        />
      </Group>
      <Group title="System requirements" names={REQUIREMENT_FIELDS.map(({ name }) => name)} {...shared}>
        {REQUIREMENT_LEVELS.map((level) => (
          <fieldset key={level} className="field-group">
            <legend>{labels.requirementLevels[level]}</legend>
            <div className="field-grid">
              {requirementFieldsOf(level).map(({ part, name }) => (
                <Lines key={name} {...shared} name={name} label={labels.requirementParts[part]} />
              ))}
            </div>
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
    <details ref={details} className="more-fields" onToggle={openIfWrong}>
      <summary>
        {title} <span className="hint">{filled === 0 ? '' : `${filled} filled in`}</span>
      </summary>
      <div>{children}</div>
    </details>
  );
}
