/** The service names fields as programs know them. Operators know the labels of fields. */
import { spelled } from '@keyport/contract/spelled';
import { KeyportConnectionError, KeyportError } from '@keyport/sdk-source/requests/errors';
import { common, formatMoney } from '../texts.ts';

export type LabelOf = (name: string, place: number | undefined) => string | undefined;

/** Paths such as `body.keys[3].code`, a name at the beginning of a problem, and names of ids and of ends of ranges anywhere. */
const NAMED =
  /\b(?:body|query|path|headers)((?:\.[\w-]+|\[\d*\])+)|((?<=^|; )[a-z][A-Za-z]*|\b[a-z]+Ids?\b|\b[a-z][A-Za-z]*(?:From|To)\b)(?:\[(\d+)\])?(?=[ .:,])/g;

/** The service describes JSON, which no operator types. */
const PLAIN_RULES = [
  [/: a string of /g, ' of '],
  [/\ba string such as\b/g, 'a value such as'],
  [/\ban array\b/g, 'a list'],
  [/\ba string\b/g, 'text'],
  [/\ba valid absolute URL\b/g, 'a complete URL'],
  [/\ban RFC 3339 date-time with a zone\b/g, 'a date with time and zone'],
  [/, or null\b/g, ''],
  [/\bnull\b/g, 'nothing'],
  [/"([\w.]+)"/g, '$1'],
] as const;

export function toMessage(error: unknown): string {
  if (!(error instanceof KeyportError))
    return error instanceof KeyportConnectionError ? common.offline : common.failed;
  const { code, message } = error;
  return Object.hasOwn(common.errors, code)
    ? common.errors[code as keyof typeof common.errors]
    : wordProblem(wordAmounts(message));
}

const AMOUNT = /\b(\d+\.\d\d+) ([A-Z]{3})\b|\b([A-Z]{3}) (\d+\.\d\d+)\b/g;

/** `9.97 EUR` is €9.97. */
function wordAmounts(text: string): string {
  return text.replaceAll(AMOUNT, (_, amount, currency, otherCurrency, otherAmount) =>
    formatMoney(amount ?? otherAmount, currency ?? otherCurrency),
  );
}

const CLAIM = /^claim clm_\w+: (.+)$/;

/** The reason of a change that a rule, a claim or a person made. */
export function wordReason(reason: string): string {
  const [, fault] = CLAIM.exec(reason) ?? [];
  if (fault !== undefined) return `${common.claim}: ${toClaimReason(fault)}`;
  return wordAmounts(toClaimReason(reason).replaceAll('risk rule: ', ''));
}

function toClaimReason(reason: string): string {
  const known: Readonly<Record<string, string>> = common.claimReasons;
  return known[reason] ?? reason;
}

/** A message that begins with a field, or several of them, or a sentence that names fields. */
export function wordProblem(message: string, labelOf: LabelOf = labelOfField): string {
  const worded = wordFields(message, labelOf);
  const [first] = message.matchAll(NAMED);
  return first?.index === 0 && !worded.startsWith(first[0]) ? wordRule(worded) : worded;
}

/** The part of a message after the field, as a sentence about it. */
export function wordRule(rule: string, subject: string = common.thisField): string {
  const plain = PLAIN_RULES.reduce(
    (text, [from, to]) => text.replaceAll(from, to),
    wordFields(rule, labelOfField),
  );
  if (/^(?:must|is|has)\b/.test(plain)) return `${subject} ${plain}`;
  return plain.charAt(0).toUpperCase() + plain.slice(1);
}

function wordFields(text: string, labelOf: LabelOf): string {
  return text.replaceAll(NAMED, (found, path?: string, name = '', place?: string) => {
    if (path === undefined) return labelOf(name, place === undefined ? undefined : Number(place)) ?? found;
    const [last = path] = path.match(/[\w-]+(?=(?:\[\d*\])*$)/) ?? [];
    const [, index] = /.*\[(\d+)\]/.exec(path) ?? [];
    const at = index === undefined ? undefined : Number(index);
    return labelOf(last, at) ?? withPlace(spelled(last), at);
  });
}

function labelOfField(name: string, place: number | undefined): string | undefined {
  const label = Object.hasOwn(common.fields, name)
    ? common.fields[name as keyof typeof common.fields]
    : /[a-z]Ids?$/.test(name)
      ? spelled(name)
      : undefined;
  return label && withPlace(label, place);
}

export const withPlace = (label: string, place: number | undefined) =>
  place === undefined ? label : `${label} ${place + 1}`;
