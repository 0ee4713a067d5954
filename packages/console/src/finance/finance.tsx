import { Page } from '../ui/page.tsx';
import { UrlTabs } from '../ui/url-tabs.tsx';
import { Books } from './books.tsx';
import { Days } from './days.tsx';
import { Sellers } from './sellers.tsx';
import { Statements } from './statements.tsx';

const PARTS = {
  days: ['By day', Days],
  books: ['Books', Books],
  statements: ['Statements', Statements],
  sellers: ['Owed to sellers', Sellers],
} as const;

export function Finance() {
  return (
    <Page title="Finance">
      <UrlTabs label="Parts of finance" parts={PARTS} shared={{}} reset={{ query: undefined }} />
    </Page>
  );
}
