/** Whose key is this? The code is sent in a body: it is in no address and in no cache. */
import type { OperatorAnswer } from '@keyport/sdk/admin';
import { Button, PasswordInput } from '@mantine/core';
import { type FormEvent, useState } from 'react';
import { admin, isMissing } from '../api/queries.ts';
import { texts } from '../texts.ts';
import { Empty, Facts, Failure, Page, useWork } from '../ui/page.tsx';
import { Link, OrderId, Time } from '../ui/values.tsx';
import { paths } from '../url.ts';

type Found = OperatorAnswer<'findKey'>;

export function FindKey() {
  const [code, setCode] = useState('');
  const [found, setFound] = useState<Found>();
  const { isRunning, error, run } = useWork();
  const submit = (event: FormEvent) => {
    event.preventDefault();
    setFound(undefined);
    void run(() => admin.findKey({ body: { code: code.trim() } }).then(setFound));
  };
  return (
    <Page title="Find a key" back={{ to: paths.orders, label: 'Orders' }}>
      <div className="narrow">
        <form className="find-key" onSubmit={submit}>
          <PasswordInput
            label="Product key"
            description="Case, spaces and dashes do not matter. The code is not stored."
            autoComplete="off"
            value={code}
            required
            withAsterisk={false}
            onChange={({ currentTarget }) => setCode(currentTarget.value)}
          />
          <Button variant="filled" size="sm" type="submit" loading={isRunning}>
            Find
          </Button>
        </form>
        {error === undefined ? null : isMissing(error) ? (
          <Empty icon="search">This service never had this key.</Empty>
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
          Key: `${key.maskedCode}, ${texts.catalogue.states[key.state].toLowerCase()}`,
          Product: <Link to={paths.product(product.id)}>{product.name}</Link>,
          Seller: <Link to={paths.seller(seller.id)}>{seller.name}</Link>,
          Offer: (
            <Link to={paths.offer(offer.id)}>
              <code>{offer.id.slice(0, 8)}</code>
            </Link>
          ),
          Order:
            order === null ? (
              'Not sold'
            ) : (
              <Link to={paths.order(order.id)}>
                <OrderId id={order.id} />
              </Link>
            ),
          'First read': key.readAt === null ? 'not read' : <Time at={key.readAt} />,
        }}
      />
    </output>
  );
}
