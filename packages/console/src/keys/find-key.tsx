/** Whose key is this? The code is sent in a body: it is in no address and in no cache. */

import type { OperatorAnswer } from '@keyport/sdk/admin';
import { Button, PasswordInput } from '@mantine/core';
import { type FormEvent, useState } from 'react';
import { admin } from '../api/admin.ts';
import { isMissing } from '../api/queries.ts';
import { paths } from '../paths.ts';
import { texts } from '../texts.ts';
import { Link } from '../ui/link.tsx';
import { Facts, Page } from '../ui/page.tsx';
import { Empty, Failure } from '../ui/states.tsx';
import { OrderId, Time } from '../ui/values.tsx';

type Found = OperatorAnswer<'findKey'>;

export function FindKey() {
  const [code, setCode] = useState('');
  const [found, setFound] = useState<Found>();
  const [error, setError] = useState<unknown>();
  const [isBusy, setBusy] = useState(false);
  const submit = async (event: FormEvent) => {
    event.preventDefault();
    setBusy(true);
    setError(undefined);
    setFound(undefined);
    await admin.findKey({ body: { code: code.trim() } }).then(setFound, setError);
    setBusy(false);
  };
  return (
    <Page title={texts.findKey.title} back={{ to: paths.orders, label: texts.navigation.orders }}>
      <div className="narrow">
        <form className="find-key" onSubmit={submit}>
          <PasswordInput
            label={texts.findKey.code}
            description={texts.findKey.hint}
            autoComplete="off"
            value={code}
            required
            withAsterisk={false}
            onChange={({ currentTarget }) => setCode(currentTarget.value)}
          />
          <Button type="submit" loading={isBusy}>
            {texts.findKey.submit}
          </Button>
        </form>
        {error === undefined ? null : isMissing(error) ? (
          <Empty icon="search">{texts.findKey.nothing}</Empty>
        ) : (
          <Failure error={error} />
        )}
        {found === undefined ? null : <Result found={found} />}
      </div>
    </Page>
  );
}

function Result({ found: { key, order, product, offer, seller } }: { readonly found: Found }) {
  return (
    <output>
      <Facts
        facts={{
          [texts.common.key]: `${key.maskedCode}, ${texts.catalogue.states[key.state].toLowerCase()}`,
          [texts.common.product]: <Link to={paths.product(product.id)}>{product.name}</Link>,
          [texts.common.seller]: <Link to={paths.seller(seller.id)}>{seller.name}</Link>,
          [texts.common.offer]: (
            <Link to={paths.offer(offer.id)}>
              <code>{offer.id.slice(0, 8)}</code>
            </Link>
          ),
          [texts.common.order]:
            order === null ? (
              texts.findKey.noOrder
            ) : (
              <Link to={paths.order(order.id)}>
                <OrderId id={order.id} />
              </Link>
            ),
          [texts.findKey.read]: key.readAt === null ? texts.orderKeys.notRead : <Time at={key.readAt} />,
        }}
      />
    </output>
  );
}
