import { common } from '../texts.ts';
import { Page } from '../ui/page.tsx';
import { UrlTabs } from '../ui/url-tabs.tsx';
import { Books } from './books.tsx';
import { Statements } from './statements.tsx';
import { texts } from './texts.ts';

const { tabs } = texts;

const PARTS = {
  books: [tabs.books, Books],
  statements: [tabs.statements, Statements],
} as const;

export function Finance() {
  return (
    <Page title={common.navigation.finance}>
      <UrlTabs label={texts.sections} parts={PARTS} shared={{}} reset={{ query: undefined }} />
    </Page>
  );
}
