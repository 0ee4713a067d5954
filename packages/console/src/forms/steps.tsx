/** Work in many requests, and how much of it is done. */
import { Progress } from '@mantine/core';

const AT_ONCE = 4;

export function Steps({ text, share }: { readonly text: string; readonly share: number }) {
  return (
    <div className="bulk-progress">
      <Progress value={share * 100} aria-label={text} />
      <span>{text}</span>
    </div>
  );
}

export async function fourAtOnce<In, Out>(
  all: readonly In[],
  work: (one: In) => Promise<Out>,
  onDone: (count: number) => void = () => {},
  signal?: AbortSignal,
): Promise<Out[]> {
  onDone(0);
  const results: Out[] = [];
  const left = [...all.entries()];
  const run = async () => {
    for (let next = left.shift(); next !== undefined && !signal?.aborted; next = left.shift()) {
      results[next[0]] = await work(next[1]);
      onDone(all.length - left.length);
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, run));
  return results;
}
