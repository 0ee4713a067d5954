/** The dialogs of a return and of a claim. */
import { Checkbox, Stack, Textarea, TextInput } from '@mantine/core';
import { useState } from 'react';
import { appClient } from '../api/queries.ts';
import { useSessionState } from '../api/session.ts';
import { ActionDialog } from '../forms/action-dialog.tsx';
import { Operate } from '../operate/operate.tsx';
import { toast } from '../ui/toasts.tsx';
import { Link } from '../ui/values.tsx';
import { paths } from '../url.ts';
import { MASK } from './order-keys.tsx';
import { texts } from './texts.ts';

type Props = { readonly orderId: string; readonly itemId: string };

export function ReturnDialog({ orderId, itemId, units }: Props & { readonly units: number }) {
  const words = texts.returns;
  return (
    <ActionDialog<{ readonly quantity: string }, never, unknown>
      title={words.title}
      form={`return:${orderId}`}
      initial={{ quantity: String(units) }}
      {...(units > 1 && {
        fields: ({ bind }) => (
          <TextInput label={words.quantity} inputMode="numeric" data-autofocus {...bind('quantity')} />
        ),
      })}
      problems={({ quantity }) => ({
        quantity: isCount(quantity, units) ? undefined : words.wrong(units),
      })}
      showPreview={() => words.says}
      submit={(_, { quantity }) => (isCount(quantity, units) ? words.submit(Number(quantity)) : words.action)}
      run={({ quantity }, options) =>
        appClient().call(
          'returnOrder',
          { params: { orderId }, body: { items: [{ id: itemId, quantity: Number(quantity) }] } },
          options,
        )
      }
      onDone={() => toast(words.done)}
    />
  );
}

export function isCount(text: string, most: number): boolean {
  return /^[1-9]\d*$/.test(text.trim()) && Number(text) <= most;
}

/** The keys stay in this component: a draft would store them. */
export function ClaimDialog(props: Props & { readonly codes: readonly string[] | undefined }) {
  const { orderId, itemId } = props;
  const words = texts.claims;
  // The page forgets them when the session ends; the choice is kept, but not shown.
  const [codes] = useState(props.codes);
  const [chosen, setChosen] = useState<readonly string[]>(codes?.length === 1 ? ['0'] : []);
  const hasEnded = useSessionState().status === 'expired';
  const [typed, setTyped] = useState('');
  const lines = typed.split('\n').flatMap((line) => line.trim() || []);
  const claimed = codes === undefined ? lines : codes.filter((_, place) => chosen.includes(String(place)));
  return (
    <Operate
      operation="createClaim"
      params={{ orderId }}
      body={{ itemId }}
      toSecrets={() => ({ codes: claimed })}
      title={words.title}
      problems={() => ({ codes: claimed.length === 0 ? words.codesMissing : undefined })}
      more={({ errors }) =>
        codes === undefined ? (
          <Textarea
            label={words.codes}
            description={words.codesHint}
            data-field="codes"
            autoComplete="off"
            autosize
            minRows={2}
            value={typed}
            error={errors['codes']}
            onChange={({ currentTarget }) => setTyped(currentTarget.value)}
          />
        ) : (
          <Checkbox.Group
            label={words.codes}
            data-field="codes"
            error={errors['codes']}
            value={[...chosen]}
            onChange={setChosen}
          >
            <Stack gap={6} mt={6}>
              {codes.map((code, place) => (
                <Checkbox key={code} value={String(place)} label={<code>{hasEnded ? MASK : code}</code>} />
              ))}
            </Stack>
          </Checkbox.Group>
        )
      }
      submit={words.submit}
      done={({ id }) => <Link to={paths.claim(id)}>{words.done}</Link>}
    />
  );
}
