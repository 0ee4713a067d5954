/** Preferences kept in this browser: the time zone, letter shortcuts, and the columns and density of lists. */
import { createStore } from './ui/store.ts';

export type Preferences = {
  readonly zone: 'local' | 'utc';
  /** The zone that is shown as local; empty for the browser's. */
  readonly ownZone: string;
  /** Empty for the browser's. Read when the page is loaded. */
  readonly locale: string;
  readonly letterKeys: boolean;
  readonly isCompact: boolean;
  /** The titles of each list's hidden columns, separated by commas. */
  readonly hidden: Readonly<Record<string, string>>;
};

const STORED_AS = 'keyport-preferences';
/** Browsers use these names of zones, which are no longer current. */
const RENAMED: Readonly<Record<string, string>> = {
  'Asia/Calcutta': 'Asia/Kolkata',
  'Asia/Katmandu': 'Asia/Kathmandu',
  'Asia/Rangoon': 'Asia/Yangon',
  'Asia/Saigon': 'Asia/Ho_Chi_Minh',
  'Atlantic/Faeroe': 'Atlantic/Faroe',
  'America/Buenos_Aires': 'America/Argentina/Buenos_Aires',
  'Europe/Kiev': 'Europe/Kyiv',
};

export const currentName = (zone: string) => RENAMED[zone] ?? zone;

export const LOCAL_ZONE = currentName(Intl.DateTimeFormat().resolvedOptions().timeZone);

const store = createStore<Preferences>({
  zone: 'local',
  ownZone: '',
  locale: '',
  letterKeys: true,
  isCompact: false,
  hidden: {},
  ...read(),
});

function read(): Partial<Preferences> {
  try {
    return JSON.parse(localStorage.getItem(STORED_AS) ?? '{}');
  } catch {
    return {};
  }
}

export function setPreferences(change: Partial<Preferences>): void {
  store.set({ ...store.get(), ...change });
  try {
    localStorage.setItem(STORED_AS, JSON.stringify(store.get()));
  } catch {
    // Without storage, preferences last until the page is closed.
  }
}

export const currentPreferences = store.get;
export const usePreferences = store.use;

/** The name of the zone that times, filters and charts share. */
export function useZone(): string {
  const { zone, ownZone } = usePreferences();
  return zone === 'utc' ? 'UTC' : ownZone || LOCAL_ZONE;
}
