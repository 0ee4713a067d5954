import { Button } from '@mantine/core';

/** Choices of which one is in use. */
export function Presets<Name extends string>(props: {
  readonly label: string;
  readonly choices: Readonly<Record<Name, string>>;
  readonly chosen: Name | undefined;
  readonly onChoose: (name: Name) => void;
}) {
  const { label, choices, chosen, onChoose } = props;
  return (
    <fieldset className="presets" aria-label={label}>
      {(Object.keys(choices) as Name[]).map((name) => (
        <Button key={name} aria-pressed={name === chosen} onClick={() => onChoose(name)}>
          {choices[name]}
        </Button>
      ))}
    </fieldset>
  );
}
