import { NativeSelect, type NativeSelectProps } from '@mantine/core';
import type { ChangeEvent } from 'react';

type Control = HTMLInputElement | HTMLTextAreaElement | HTMLSelectElement;

export type Fields<Draft> = {
  readonly draft: Draft;
  readonly change: (changes: Partial<Draft>) => void;
  /** Problems by field that the form or the service found. */
  readonly errors: Readonly<Record<string, string>>;
  readonly bind: <Name extends keyof Draft & string>(name: Name) => Bound<Draft[Name]>;
};

type Bound<Value> = {
  readonly name: string;
  readonly value: Value;
  readonly error: string | undefined;
  readonly onChange: (event: ChangeEvent<Control>) => void;
};

export function bindTo<Draft>(
  draft: Draft,
  change: (changes: Partial<Draft>) => void,
  errors: Readonly<Record<string, string>>,
): Fields<Draft>['bind'] {
  return (name) => ({
    name,
    value: draft[name],
    error: errors[name],
    // A select offers only values of its member.
    onChange: ({ currentTarget }) => change({ [name]: currentTarget.value } as Partial<Draft>),
  });
}

export function SelectField({
  choices,
  ...props
}: NativeSelectProps & { readonly choices: Readonly<Record<string, string>> }) {
  const options = Object.entries(choices).map(([value, label]) => ({ value, label }));
  return <NativeSelect {...props} data={options} />;
}
