/** Preferences kept in this browser: the zone of times, and whether letters are shortcuts. */
import { useSyncExternalStore } from 'react';

export type Preferences = { readonly zone: 'local' | 'utc'; readonly letterKeys: boolean };

const STORED_AS = 'keyport-preferences';
const LOCAL_ZONE = Intl.DateTimeFormat().resolvedOptions().timeZone;

let preferences: Preferences = { zone: 'local', letterKeys: true, ...read() };
const listeners = new Set<() => void>();

function read(): Partial<Preferences> {
  try {
    return JSON.parse(localStorage.getItem(STORED_AS) ?? '{}');
  } catch {
    return {};
  }
}

export function setPreferences(change: Partial<Preferences>): void {
  preferences = { ...preferences, ...change };
  try {
    localStorage.setItem(STORED_AS, JSON.stringify(preferences));
  } catch {
    // Without storage they hold until the page is closed.
  }
  for (const listener of listeners) listener();
}

export function currentPreferences(): Preferences {
  return preferences;
}

export function usePreferences(): Preferences {
  return useSyncExternalStore(
    (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    () => preferences,
  );
}

/** The name of the zone that times, filters and charts share. */
export function useZone(): string {
  return usePreferences().zone === 'utc' ? 'UTC' : LOCAL_ZONE;
}
