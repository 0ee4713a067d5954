import { equal } from 'node:assert/strict';
import { test } from 'vitest';
import { delimiterOf } from './table-file.ts';

test('the delimiter is found among decimal commas, quotes, titles and blank lines', () => {
  const rows: [text: string, delimiter: string][] = [
    ['Artikel;Preis\r\na;1.299,00\r\nb;4,50\r\n', ';'],
    ['Preisliste Stand heute\n\nArtikel;Preis, EUR\na;4,50\n', ';'],
    ['id,name\n1,"Möwe; Räume"\n2,"a;b;c"\n', ','],
    ['id\tprice\tnote\n1\t4,50\tx, y\n', '\t'],
    ['id|price\n1|4,50\n', '|'],
    ['id,price\n', ','],
  ];
  for (const [text, delimiter] of rows) equal(delimiterOf(text), delimiter, text);
});
