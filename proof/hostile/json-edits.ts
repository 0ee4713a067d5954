/** JSON texts that are nearly right. */
import fc, { type Arbitrary } from 'fast-check';
import { HOSTILE_JSON } from './values.ts';

type Node =
  | { readonly raw: string }
  | { readonly elements: Node[] }
  | { readonly members: [name: string, value: Node][] };

export type Edit = {
  /** Selects the place, modulo the number of places. */
  readonly at: number;
  readonly change: 'replace' | 'remove' | 'repeat' | 'add' | 'rename';
  /** JSON, or an invalid text instead. */
  readonly raw: string;
  readonly name: string;
};

const NAMES = [
  '__proto__',
  'constructor',
  'prototype',
  'toString',
  'id',
  '',
  'x\u0000y',
  '\ud800',
  'Items',
  'n'.repeat(300),
  '\u001b[31m',
  'quantity',
];

export const edits: Arbitrary<readonly Edit[]> = fc.array(
  fc.record({
    at: fc.nat(60),
    change: fc.constantFrom('replace', 'replace', 'replace', 'remove', 'repeat', 'add', 'rename'),
    raw: fc.constantFrom(...HOSTILE_JSON),
    name: fc.constantFrom(...NAMES),
  }),
  { minLength: 1, maxLength: 3 },
);

export function editedJson(value: unknown, changes: readonly Edit[]): string {
  let root = toNode(value);
  for (const change of changes) {
    const places = listPlaces(root);
    const place = places[change.at % (places.length + 1)];
    // The number after the last place selects the root itself.
    if (place === undefined) root = { raw: change.raw };
    else place(change);
  }
  return write(root);
}

function toNode(value: unknown): Node {
  if (Array.isArray(value)) return { elements: value.map(toNode) };
  if (typeof value === 'object' && value !== null) {
    return { members: Object.entries(value).map(([name, member]) => [name, toNode(member)]) };
  }
  return { raw: JSON.stringify(value) };
}

function listPlaces(node: Node): ((edit: Edit) => void)[] {
  if ('elements' in node) {
    const { elements } = node;
    return elements.flatMap((element, index) => [
      ({ change, raw }: Edit) => {
        if (change === 'remove') elements.splice(index, 1);
        else if (change === 'repeat') elements.push(element);
        else elements[index] = { raw };
      },
      ...listPlaces(element),
    ]);
  }
  if (!('members' in node)) return [];
  const { members } = node;
  return members.flatMap(([name, member], index) => [
    ({ change, raw, name: other }: Edit) => {
      if (change === 'remove') members.splice(index, 1);
      else if (change === 'repeat') members.push([name, { raw }]);
      else if (change === 'add') members.push([other, { raw }]);
      else if (change === 'rename') members[index] = [other, member];
      else members[index] = [name, { raw }];
    },
    ...listPlaces(member),
  ]);
}

function write(node: Node): string {
  if ('raw' in node) return node.raw;
  if ('elements' in node) return `[${node.elements.map(write).join(',')}]`;
  return `{${node.members.map(([name, member]) => `${JSON.stringify(name)}:${write(member)}`).join(',')}}`;
}

export type Coding =
  | 'plain'
  | 'bom'
  | 'utf16'
  | 'latin1'
  | 'half'
  | 'twice'
  | 'padded'
  | 'brokenUtf8'
  | 'nul';

export const codings: Arbitrary<Coding> = fc.constantFrom(
  'plain',
  'bom',
  'utf16',
  'latin1',
  'half',
  'twice',
  'padded',
  'brokenUtf8',
  'nul',
);

export function encode(text: string, coding: Coding): Buffer {
  const bytes = Buffer.from(text);
  switch (coding) {
    case 'plain':
      return bytes;
    case 'bom':
      return Buffer.concat([Buffer.from([0xef, 0xbb, 0xbf]), bytes]);
    case 'utf16':
      return Buffer.from(text, 'utf16le');
    case 'latin1':
      return Buffer.from(text, 'latin1');
    case 'half':
      return bytes.subarray(0, bytes.length >> 1);
    case 'twice':
      return Buffer.concat([bytes, bytes]);
    case 'padded':
      return Buffer.concat([Buffer.alloc(70_000, ' '), bytes]);
    case 'brokenUtf8':
      return Buffer.from(text.replace(/[a-z]/, '\u0080'), 'latin1');
    case 'nul':
      return Buffer.concat([bytes, Buffer.alloc(3)]);
  }
}
