/** The progress of work that takes many requests. */
import { Progress } from '@mantine/core';

export function Steps({ text, share }: { readonly text: string; readonly share: number }) {
  return (
    <div className="bulk-progress">
      <Progress value={share * 100} aria-label={text} />
      <span>{text}</span>
    </div>
  );
}
