import { PERSON_TEXTS } from '../account-parts/person-texts.ts';
import { formatCount, isolated, plural } from '../texts.ts';

export const texts = {
  system: {
    lastSeen: 'Last seen',
    tabs: { label: 'System sections', state: 'Status', settings: 'Settings', operators: 'Operators' },
    service: 'Service',
    version: 'Version',
    mode: 'Mode',
    publicUrl: 'Public URL',
    database: 'Database',
    databaseKinds: {
      embedded: (version: string) => `Embedded, PostgreSQL ${version}`,
      postgres: (version: string) => `PostgreSQL ${version}`,
    },
    migrations: 'Migrations',
    lag: 'Lag',
    lags: {
      catalogueSeconds: 'Catalogue in memory',
      eventsSeconds: 'Events',
      webhooksSeconds: 'Webhooks',
      auditSeconds: 'Audit log chain',
      archiveSeconds: 'Archive',
    },
    seconds: (seconds: number) => `${formatCount(seconds)} s`,
    unknown: 'Unknown',
    nodes: 'Nodes',
    node: 'Node',
    masterKeys: 'Master keys',
    masterKey: 'Master key',
    current: 'In use',
    earlier: 'Earlier',
    notInFile: 'Not in the key file',
    wrapped: 'Wrapped secrets',
    heldBy: 'Held by',
    ofNodes: (count: number, all: number) => `${count} of ${plural(all, 'node')}`,
    unnamed: (count: number) =>
      `${plural(count, 'secret dates', 'secrets date')} from before master keys had ids.`,
    invariants: 'Invariants',
    neverChecked: 'Not checked yet.',
    allHold: (count: number) => `All ${count} hold`,
    someBroken: (broken: number, all: number) => `${broken} of ${all} violated`,
    checkedAt: 'Checked',
    showAll: (count: number) => `Show all ${count}`,
    holds: 'Holds',
    unchecked: 'Not checked',
    broken: (rows: number) => `Violated: ${plural(rows, 'row')}`,
    setting: 'Setting',
    value: 'Value',
    settingChoices: { false: 'Different from the default', true: 'All settings' },
    noSettings: 'Every setting has its default.',
    sources: { default: 'Default', environment: 'Environment', file: 'File' },
    meaning: 'Meaning',
    searchSettings: 'Search settings',
    settingWords: 'Words from the name or the meaning',
    notSet: 'Not set',
    secretSet: 'Set, not shown',
  },
  operators: {
    ...PERSON_TEXTS,
    statuses: { active: 'Active', disabled: 'Disabled' },
    invited: 'Invited',
    unsentLink: (error: string | undefined) =>
      error === undefined
        ? 'The sign-in link is being mailed'
        : `The sign-in link waits to be mailed: ${isolated(error)}`,
    newSays:
      'You get a sign-in link that works once, within 48 hours. Send it to this operator. Operators you invite cannot approve your requests.',
    create: 'Create operator',
    self: 'This is you: a disabled operator is signed out immediately and loses all credentials.',
    sureLabel: 'I give up my own rights',
    sureHint: 'Only another administrator can restore them.',
    sureMissing: 'Confirm that you give up your own rights.',
    disabledSays:
      'A disabled operator is signed out immediately and loses all credentials. Unused sign-in links, secrets and clients that they issued end too.',
    ended: ({
      links,
      secrets,
      clients,
    }: Readonly<Record<'links' | 'secrets' | 'clients', readonly string[]>>) =>
      [
        'Ended:',
        `${plural(links.length, 'sign-in link')};`,
        `${plural(secrets.length, 'secret')} ${secrets.length > 0 ? `(${secrets.map(isolated).join(', ')})` : ''};`,
        `${plural(clients.length, 'client')} disabled ${clients.length > 0 ? `(${clients.map(isolated).join(', ')})` : ''}`,
      ].join(' '),
    mailedTo: (email: string) => `The link is also mailed to ${isolated(email)}.`,
    reset: {
      ...PERSON_TEXTS.reset,
      says: 'For a leaked password, passkey or session: all sessions end, and the password, passkeys and single sign-on link are removed. Unused sign-in links, secrets and clients that they issued end too. You get a new sign-in link that works once, within 48 hours.',
    },
  },
} as const;
