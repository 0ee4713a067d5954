/** Preferences kept in this browser: the time zone, letter shortcuts, and the columns of lists. */
import { createStore } from './ui/store.ts';

export type Preferences = {
  readonly zone: 'local' | 'utc';
  readonly letterKeys: boolean;
  /** The titles of each list's hidden columns, separated by commas. */
  readonly hidden: Readonly<Record<string, string>>;
};

const STORED_AS = 'keyport-preferences';
const LOCAL_ZONE = Intl.DateTimeFormat().resolvedOptions().timeZone;

const store = createStore<Preferences>({
  zone: 'local',
  letterKeys: true,
  hidden: {},
  ...read(),
});

function read<Stored = Partial<Preferences>>(name = STORED_AS): Partial<Stored> {
  try {
    return JSON.parse(localStorage.getItem(name) ?? '{}');
  } catch {
    return {};
  }
}

function write(name: string, value: unknown): void {
  try {
    localStorage.setItem(name, JSON.stringify(value));
  } catch {
    // Without storage, preferences last until the page is closed.
  }
}

export function setPreferences(change: Partial<Preferences>): void {
  store.set({ ...store.get(), ...change });
  write(STORED_AS, store.get());
}

export const currentPreferences = store.get;
export const usePreferences = store.use;

/** The name of the zone that times, filters and charts share. */
export function useZone(): string {
  return usePreferences().zone === 'utc' ? 'UTC' : LOCAL_ZONE;
}

const VISIT = 'keyport-visit';
/** A new visit begins after this pause. */
const PAUSE_MS = 30 * 60_000;
const SEEN_EVERY_MS = 60_000;

/** When this browser last showed the console before the current visit; undefined if never. */
export const lastVisit = beginVisit();

function beginVisit(): string | undefined {
  const { seenAt, since } = read<{ readonly seenAt: string; readonly since: string }>(VISIT);
  const isBack = seenAt !== undefined && Date.now() - Date.parse(seenAt) > PAUSE_MS;
  const before = isBack ? seenAt : since;
  const note = () => {
    if (document.visibilityState === 'visible')
      write(VISIT, { seenAt: new Date().toISOString(), since: before });
  };
  note();
  setInterval(note, SEEN_EVERY_MS);
  return before;
}
