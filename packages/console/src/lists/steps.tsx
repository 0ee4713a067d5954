/** Steps through a queue by buttons and keys. */
import { Button } from '@mantine/core';
import { useRef } from 'react';
import { Icon } from '../ui/icons.tsx';
import { useKeys } from '../ui/keys.ts';
import { useGo } from '../url.ts';
import { texts } from './texts.ts';

/** `place`: that of the shown element, or between two places if it has left the queue. */
export function Steps(props: {
  readonly ids: readonly string[];
  readonly place: number;
  readonly open: (id: string) => void;
}) {
  const { ids, place, open } = props;
  const toStep = (id: string | undefined) => (id === undefined ? undefined : () => open(id));
  const [previous, next] = [toStep(ids[Math.ceil(place) - 1]), toStep(ids[Math.floor(place) + 1])];
  useKeys({ '[': previous, ']': next, k: previous, j: next });
  return (
    <>
      <Button disabled={previous === undefined} onClick={previous}>
        <Icon name="left" size={14} /> {texts.steps.previous}
      </Button>
      <Button disabled={next === undefined} onClick={next}>
        {texts.steps.next} <Icon name="right" size={14} />
      </Button>
    </>
  );
}

/** For the page of an element. Nothing is shown if it was not in the queue when its page was opened. */
export function PageSteps(props: {
  readonly queue: readonly { readonly id: string }[] | undefined;
  readonly id: string;
  readonly toPath: (id: string) => string;
}) {
  const { queue = [], id, toPath } = props;
  const go = useGo();
  const place = useRef<number>(undefined);
  const ids = queue.map((one) => one.id);
  const found = ids.indexOf(id);
  if (found !== -1) place.current = found;
  // The next one has taken the place of the one that left the queue.
  else if (Number.isInteger(place.current)) place.current = Number(place.current) - 0.5;
  if (place.current === undefined) return null;
  return <Steps ids={ids} place={place.current} open={(next) => go(toPath(next))} />;
}
