/** A481. */
import { domainToASCII } from 'node:url';

const LOCAL_PART = /^[A-Za-z0-9!#$%&'*+/=?^_`{|}~-]+(?:\.[A-Za-z0-9!#$%&'*+/=?^_`{|}~-]+)*$/;
/** IDNA drops invisible marks and letters. */
const DOMAIN = /^(?:(?!\p{Default_Ignorable_Code_Point})[\p{L}\p{N}\p{M}_.-])+$/u;

/** A number as the last label would make it an IPv4 address. */
const ASCII_DOMAIN =
  /^(?:[a-z0-9_](?:[a-z0-9_-]{0,61}[a-z0-9_])?\.)*(?!\d+$)[a-z0-9_](?:[a-z0-9_-]{0,61}[a-z0-9_])?$/;

/** Completes a sentence that begins with the field's name. */
export function emailProblem(email: string): string | undefined {
  const [local, domain] = split(email);
  if (!LOCAL_PART.test(local))
    return 'must have only ASCII letters, digits and symbols before the @, with single dots between them';
  return DOMAIN.test(domain) && ASCII_DOMAIN.test(domainToASCII(domain))
    ? undefined
    : 'must have a domain such as marketplace.example after the @, without invisible characters or a dot at the end';
}

/**
 * Equal for all spellings of an address. Earlier versions stored addresses that are no longer accepted, so
 * any text has a key.
 */
export function toEmailKey(email: string): string {
  const [local, domain] = split(email);
  return `${asciiLowerCase(local)}@${domainToASCII(domain) || asciiLowerCase(domain)}`;
}

/** The key that versions before 0.3.0 stored. Unequal addresses can share it, so it only narrows a search. */
export function toEarlierEmailKey(email: string): string {
  return email.normalize('NFKC').toLowerCase();
}

function split(email: string): [local: string, domain: string] {
  const at = email.lastIndexOf('@');
  return [email.slice(0, at), email.slice(at + 1)];
}

function asciiLowerCase(text: string): string {
  return text.replaceAll(/[A-Z]+/g, (letters) => letters.toLowerCase());
}
