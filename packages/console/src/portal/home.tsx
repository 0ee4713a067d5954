import { useRead } from '../api/queries.ts';
import { common } from '../texts.ts';
import { Facts, Loaded, Page } from '../ui/page.tsx';
import { Money } from '../ui/values.tsx';

export function Home() {
  const account = useRead('getOwnAccount', {}, { everyMs: 15_000 });
  return (
    <Page title={common.navigation.home}>
      <Loaded query={account}>
        {({ name, balance }) => (
          <Facts facts={{ [common.account]: name, [common.balance]: <Money amount={balance} /> }} />
        )}
      </Loaded>
    </Page>
  );
}
