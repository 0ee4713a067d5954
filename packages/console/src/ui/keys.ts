/** Shortcuts. Letters do nothing in a field or a dialog, or when the profile turns them off. */
import { useEffect, useRef } from 'react';
import { currentPreferences } from '../preferences.ts';

/** By `KeyboardEvent.key`; a blank separates two keys that are pressed in sequence: `g o`. */
export type Keys = Readonly<Record<string, (() => void) | undefined>>;

const SEQUENCE_MS = 1200;

let pending: { readonly key: string; readonly atMs: number } | undefined;

/** The event of a layer that Escape closes: the layer may be gone before the other listeners run. */
let forLayer: KeyboardEvent | undefined;

/**
 * The page calls this before anything else listens. While an input method composes a character, its keys, such as Enter,
 * belong to it: a browser announces them with `isComposing` or the key code 229.
 */
export function guardKeys(): void {
  const guard = (event: KeyboardEvent) => {
    if (event.isComposing || event.keyCode === 229) event.stopImmediatePropagation();
    else if (event.key === 'Escape' && (isTyping(event.target) || isLayerOpen())) forLayer = event;
  };
  window.addEventListener('keydown', guard, true);
}

export function useKeys(keys: Keys): void {
  const current = useRef(keys);
  current.current = keys;
  useEffect(() => {
    const listen = (event: KeyboardEvent) => {
      if (event.defaultPrevented || event.altKey || event === forLayer) return;
      // With Caps Lock, the key is a capital letter.
      const key = event.shiftKey ? event.key : event.key.toLowerCase();
      const name = event.ctrlKey || event.metaKey ? `mod ${key}` : event.key;
      if (name.length === 1 && (isTyping(event.target) || isDialogOpen() || !currentPreferences().letterKeys))
        return;
      const first =
        pending !== undefined && event.timeStamp - pending.atMs < SEQUENCE_MS ? pending.key : undefined;
      const act = current.current[first === undefined ? name : `${first} ${name}`];
      if (act === undefined) return;
      event.preventDefault();
      pending = undefined;
      act();
    };
    document.addEventListener('keydown', listen);
    return () => document.removeEventListener('keydown', listen);
  }, []);
}

/** Mounted once, in the shell: remembers the first key of a sequence after all other handlers have run. */
export function useSequences(): void {
  useEffect(() => {
    const remember = (event: KeyboardEvent) => {
      const isStart = event.key === 'g' && !event.ctrlKey && !event.metaKey && !isTyping(event.target);
      pending = isStart ? { key: 'g', atMs: event.timeStamp } : undefined;
    };
    window.addEventListener('keydown', remember);
    return () => window.removeEventListener('keydown', remember);
  }, []);
}

let typed = '';

/** Keeps text that is typed before the palette has the focus; otherwise letters would act as shortcuts. */
export function keepTyped(): void {
  window.addEventListener('keydown', keep, true);
}

export function takeTyped(): string {
  window.removeEventListener('keydown', keep, true);
  const text = typed;
  typed = '';
  return text;
}

function keep(event: KeyboardEvent): void {
  if (isTyping(event.target) || event.key === 'Escape') takeTyped();
  else if (event.key.length === 1 && !event.ctrlKey && !event.metaKey) {
    typed += event.key;
    event.preventDefault();
    event.stopImmediatePropagation();
  }
}

function isTyping(target: EventTarget | null): boolean {
  if (!(target instanceof HTMLElement)) return false;
  if (target instanceof HTMLInputElement) return !['checkbox', 'radio', 'button'].includes(target.type);
  return target.isContentEditable || ['TEXTAREA', 'SELECT'].includes(target.tagName);
}

function isLayerOpen(): boolean {
  const layers = document.querySelectorAll('[role="dialog"], [role="menu"], [role="listbox"]');
  return [...layers].some((layer) => layer.checkVisibility());
}

function isDialogOpen(): boolean {
  return document.querySelector('[role="dialog"][aria-modal="true"]') !== null;
}
