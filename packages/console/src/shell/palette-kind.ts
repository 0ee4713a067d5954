/** The kind of text in the palette. A product key must be in no address, so a possible one is sent only in a body, on demand. */
import { ORDER_OR_PRODUCT_ID, TRACE_ID, UUID } from '../api/ids.ts';

export const PAYMENT = /^(?:charge|refund)-(\d{14,16})$/;

/** As lists show UUIDs and trace ids. Codes in lower case that look like it are rare. */
export const SHORT_ID = /^(?=.*[a-f])[0-9a-f]{8}$/;
/** Also in groups; a longer one may be a code. */
export const ORDER_ID_START = /^[1-9][0-9]{3,7}$/;

const WORDS_MIN = 2;
const CODE_MIN = 8;

export type Kind = 'id' | 'code' | 'words' | 'nothing';

/** `nothing`: too short, or the beginning of what may become a code. */
export function kindOf(text: string): Kind {
  if ([ORDER_OR_PRODUCT_ID, PAYMENT, TRACE_ID, UUID].some((form) => form.test(idOf(text)))) return 'id';
  if (SHORT_ID.test(text)) return 'id';
  if (mayBeCode(text)) return text.length < CODE_MIN ? 'nothing' : 'code';
  return text.length < WORDS_MIN ? 'nothing' : 'words';
}

/** Groups of the same length, or letters and digits together: few words are like that, most codes are. */
function mayBeCode(text: string): boolean {
  const groups = text.split(/[\s-]+/).filter((group) => group !== '');
  const [first = ''] = groups;
  const isUpper = text === text.toUpperCase();
  const hasDigit = /\d/.test(text);
  const isEven = first.length >= 4 && groups.every(({ length }) => length === first.length);
  return (
    (groups.length === 1 && first.length >= CODE_MIN && hasDigit) ||
    (isUpper && hasDigit && groups.join('').length > CODE_MIN) ||
    (isEven && (groups.length > 2 || (groups.length === 2 && isUpper && first.length > 4))) ||
    groups.some((group) => group.length >= 4 && /\d/.test(group) && /[A-Z]/.test(group))
  );
}

/** Order ids are shown in fours. */
export function idOf(text: string): string {
  return text.replaceAll(' ', '').toLowerCase();
}
