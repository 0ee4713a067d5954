const SHOWN_LENGTH = 4;
const SHOWN_SHARE_MAX = 1 / 3;

export function maskCode(code: string): string {
  const characters = Array.from(code);
  const shown = Math.min(SHOWN_LENGTH, Math.floor(characters.length * SHOWN_SHARE_MAX));
  return `…${characters.slice(characters.length - shown).join('')}`;
}
