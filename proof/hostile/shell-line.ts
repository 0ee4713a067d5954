/** Uses curl if curl can send the request. */
import { type HostileRequest, isWellFramed } from './requests.ts';
import { serialise } from './wire.ts';

const PIECE_MAX = 20_000;

export function shellLine(url: string, request: HostileRequest): string {
  const { method, target, headers, body, framing } = request;
  const isPlain =
    isWellFramed(request) && framing === 'exact' && target.startsWith('/') && isPrintable(target);
  if (!isPlain) return `printf '%b' ${quote(serialise(request))} | nc ${new URL(url).host.replace(':', ' ')}`;
  const lines = headers.map(([name, value]) => `-H ${quote(Buffer.from(`${name}: ${value}`, 'latin1'))}`);
  const data = body === undefined ? [] : [`--data-binary ${quote(body)}`];
  return [
    'curl -i --globoff --path-as-is',
    `-X ${method}`,
    ...lines,
    ...data,
    quote(Buffer.from(url + target)),
  ].join(' ');
}

function isPrintable(text: string): boolean {
  return /^[\x21-\x7e]+$/.test(text);
}

function quote(bytes: Buffer): string {
  const isPlain = isPrintable(bytes.toString('latin1').replaceAll(' ', '')) && !bytes.includes("'");
  return isPlain && bytes.length <= PIECE_MAX ? `'${bytes.toString('latin1')}'` : `$'${hexed(bytes)}'`;
}

/** Bytes with a meaning for the shell or printf become numbers. */
function hexed(bytes: Buffer): string {
  const text = bytes
    .toString('latin1', 0, PIECE_MAX)
    .replaceAll(/[^\x20-\x7e]|['\\%]/g, (char) => `\\x${char.charCodeAt(0).toString(16).padStart(2, '0')}`);
  return bytes.length > PIECE_MAX ? `${text}(and ${bytes.length - PIECE_MAX} more bytes)` : text;
}
