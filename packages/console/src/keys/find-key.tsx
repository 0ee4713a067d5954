/** Finds the order of a key. The code is sent in a body, so it appears in no URL and no cache. */
import type { OperatorAnswer } from '@keyport/sdk-source/admin';
import { Box, Button, PasswordInput, Stack } from '@mantine/core';
import { type FormEvent, useEffect, useRef, useState } from 'react';
import { admin } from '../api/admin.ts';
import { isMissing } from '../api/queries.ts';
import { AccountLink } from '../approvals/approval-parts.tsx';
import { common } from '../texts.ts';
import { Empty, Facts, Failure, Page, useWork } from '../ui/page.tsx';
import { Link, OrderId, Time } from '../ui/values.tsx';
import { paths } from '../url.ts';
import { texts } from './texts.ts';
import '../mantine-more.css';

type Found = OperatorAnswer<'findKey'>;

export function FindKey() {
  const [code, setCode] = useState('');
  const [found, setFound] = useState<Found>();
  const { isRunning, error, run } = useWork();
  const field = useRef<HTMLInputElement>(null);
  // Runs after the page has focused its heading.
  useEffect(() => field.current?.focus(), []);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    setFound(undefined);
    void run(() => admin.findKey({ body: { code: code.trim() } }).then(setFound));
  };
  return (
    <Page title={common.findKey} back={{ to: paths.orders, label: common.navigation.orders }}>
      <Box maw={560}>
        <Stack component="form" gap={12} align="start" mb={20} onSubmit={submit}>
          <PasswordInput
            ref={field}
            label={texts.code}
            description={texts.hint}
            autoComplete="off"
            value={code}
            required
            withAsterisk={false}
            onChange={({ currentTarget }) => setCode(currentTarget.value)}
          />
          <Button variant="filled" size="sm" type="submit" loading={isRunning}>
            {texts.submit}
          </Button>
        </Stack>
        {error === undefined ? null : isMissing(error) ? (
          <Empty icon="search">{common.keyUnknown}</Empty>
        ) : (
          <Failure error={error} />
        )}
        {found === undefined ? null : <Result found={found} />}
      </Box>
    </Page>
  );
}

function Result({ found: { key, order, product, offer, seller } }: { readonly found: Found }) {
  return (
    <output>
      <Facts
        facts={{
          [common.order]:
            order === null ? (
              texts.noOrder
            ) : (
              <Link to={paths.order(order.id)}>
                <OrderId id={order.id} />
              </Link>
            ),
          [common.account]: order && <AccountLink accountId={order.accountId} />,
          [common.key]: texts.found(key.maskedCode, common.keyStates[key.state]),
          [common.product]: <Link to={paths.product(product.id)}>{product.name}</Link>,
          [common.seller]: <Link to={paths.seller(seller.id)}>{seller.name}</Link>,
          [common.offer]: (
            <Link to={paths.offer(offer.id)}>
              <code>{offer.id.slice(0, 8)}</code>
            </Link>
          ),
          [texts.read]: key.readAt === null ? common.notRead : <Time at={key.readAt} />,
        }}
      />
    </output>
  );
}
