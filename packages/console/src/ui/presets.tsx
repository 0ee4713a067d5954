import { Button, Group } from '@mantine/core';

/** Choices of which one is in use. */
export function Presets<Name extends string>(props: {
  readonly label: string;
  readonly choices: Readonly<Record<Name, string>>;
  readonly chosen: Name | undefined;
  readonly onChoose: (name: Name) => void;
  readonly className?: string;
}) {
  const { label, choices, chosen, onChoose, className } = props;
  return (
    <Group component="fieldset" gap={4} aria-label={label} className={className}>
      {(Object.keys(choices) as Name[]).map((name) => (
        <Button key={name} aria-pressed={name === chosen} onClick={() => onChoose(name)}>
          {choices[name]}
        </Button>
      ))}
    </Group>
  );
}
