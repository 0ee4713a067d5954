import { deepEqual, equal, match, ok } from 'node:assert/strict';
import { glob } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'vitest';
import { texts as claims } from './claims/texts.ts';
import { texts as forms } from './forms/texts.ts';
import { texts as notes } from './notes/texts.ts';
import { formatMoney, isolated, toNames } from './texts.ts';

const HEBREW = '\u05d7\u05e0\u05d5\u05ea 5';
/** Parameters of texts that come from outside the console. */
const NAMES = /^(?:name|product|seller|account|author|text|owner|email|reference|words|row|error|column)$/;
/** The names in these texts are those of actions and themes. */
const OWN = /^(?:orders\/texts\.ts bulk|shell\/texts\.ts header\.theme)/;

test('only names that would reorder a sentence are isolated', () => {
  equal(isolated(HEBREW), `\u2068${HEBREW}\u2069`);
  equal(isolated('\u202eevil'), '\u2068\u202eevil\u2069');
  for (const name of ['Acme, Inc. (5)', 'Möwe', '游戏', 'Игры', '']) equal(isolated(name), name);
  equal(toNames(['Acme', HEBREW]), `Acme, \u2068${HEBREW}\u2069`);
});

test.each([
  ['2304.00', 'JPY', /2,304$/],
  ['2304.5', 'JPY', /2,304\.50$/],
  ['10.00', 'EUR', /10\.00$/],
  ['1.2345', 'USD', /1\.2345$/],
])('%s %s has the decimals of its currency', (amount, currency, shown) => {
  match(formatMoney(amount, currency), shown);
});

test('every text isolates the names in it', async () => {
  const wrong: string[] = [];
  let count = 0;
  for await (const path of glob('**/texts.ts', { cwd: import.meta.dirname })) {
    const { texts, common = texts } = await import(join(import.meta.dirname, path));
    for (const [place, text] of functionsIn(common)) {
      const parameters = toParameters(text);
      if (!parameters.some((name) => NAMES.test(name)) || OWN.test(`${path} ${place}`)) continue;
      count += 1;
      const shown = String(text(...parameters.map((name) => (NAMES.test(name) ? HEBREW : '2'))));
      const rest = shown.replaceAll(`\u2068${HEBREW}\u2069`, '');
      if (rest === shown || rest.includes(HEBREW.slice(0, 3))) wrong.push(`${path} ${place}: ${shown}`);
    }
  }
  ok(count > 40);
  deepEqual(wrong, []);
});

test.each([
  ['reason', forms.action.reasonHint],
  ['response to a claim', claims.answerHint],
  ['note', notes.notes.hint],
])('the field of a %s warns against product keys', (_, hint) => {
  match(hint, /Never enter a product key\.$/);
});

type Text = (...values: unknown[]) => unknown;

function functionsIn(value: object, place: readonly string[] = []): [string, Text][] {
  return Object.entries(value).flatMap(([name, member]): [string, Text][] => {
    const at = [...place, name];
    if (typeof member === 'function') return [[at.join('.'), member]];
    return typeof member === 'object' && member !== null ? functionsIn(member, at) : [];
  });
}

function toParameters(text: Text): string[] {
  const [, list = ''] = /^\(([\w\s,]*)\)/.exec(String(text)) ?? [];
  return list.split(',').map((name) => name.trim());
}
