/** Texts of an account's requests, endpoints, deliveries, clients and members, which both apps show. */
import { isolated, plural } from '../texts.ts';
import { PERSON_TEXTS } from './person-texts.ts';

export const texts = {
  requests: {
    title: 'Requests',
    request: 'Request',
    query: 'Query',
    code: 'Error code',
    trace: 'Trace id',
    client: 'Client',
    duration: 'Duration',
    milliseconds: (count: number) => `${count} ms`,
    time: 'Time',
    address: 'Address',
    program: 'User agent',
    sent: 'Request body',
    response: 'Response body',
    noBody: 'None.',
    gone: 'This request is not on this page.',
    omitted: (count: number) =>
      `${plural(count, 'request is', 'requests are')} missing: more arrived in one second than the log stores.`,
    empty:
      'No writes and no rejected requests in the last 7 days. Successful reads are counted but not listed.',
  },
  endpoints: {
    title: 'Webhook endpoints',
    since: 'since',
    empty: 'No webhook endpoints. Resellers create them through the API.',
    deliveries: 'Deliveries',
    deliveriesTo: (url: string) => `Deliveries to ${url}`,
    disabledBecause: (reason: string) => `Disabled: ${isolated(reason)}`,
    enable: {
      submit: 'Enable endpoint',
      says: 'Deliveries resume. Events that occurred while it was disabled are not sent; the reseller can replay them.',
      done: 'Endpoint enabled',
    },
    disable: {
      submit: 'Disable endpoint',
      says: 'Nothing is sent until an operator enables it again. The reseller cannot enable it.',
      done: 'Endpoint disabled',
      isDangerous: true,
    },
    test: {
      submit: 'Send test',
      says: 'Sends the event webhook.test now, even if the endpoint receives only other events.',
      done: 'Test sent',
    },
  },
  deliveries: {
    eventId: 'event id',
    retrying: 'Retrying',
    statuses: { pending: 'Pending', delivered: 'Delivered', failed: 'Failed' },
    next: 'next',
    empty: 'Nothing was sent to this endpoint in the last 30 days.',
    show: 'Details',
    showOf: (id: string) => `Details of ${id}`,
    redeliver: 'Redeliver',
    isRedelivered: 'redelivered',
    events: 'Events',
    kinds: 'Kinds of event',
    oldest: 'The oldest attempt',
    redeliverOf: (type: string) => `Redeliver ${type}`,
    redelivered: (count: number) => `${plural(count, 'redelivery', 'redeliveries')} started`,
    redeliverAll: (count: number) => `Redeliver ${plural(count, 'event')}`,
    redeliverAllSays: (count: number) =>
      `Starts ${plural(count, 'delivery', 'deliveries')} now, with the usual retries.`,
    request: 'Request',
    payload: 'Payload with the current event data',
    responses: 'Responses',
    noResponse: 'No attempt yet.',
  },
  clients: {
    id: 'Client id',
    secret: 'Client secret',
    enabled: 'Enabled',
    disabled: 'Disabled',
    everywhere: 'All addresses',
    access: { full: 'Full', 'read-only': 'Read-only' },
    addresses: {
      title: (clientId: string) => `Addresses of ${clientId}`,
      submit: 'Save addresses',
      done: 'Addresses saved; they take effect within 5 seconds',
    },
  },
  members: {
    ...PERSON_TEXTS,
    roles: { accountant: 'Accountant', buyer: 'Buyer', developer: 'Developer', owner: 'Owner' },
    statuses: { invited: 'Invited', active: 'Active', disabled: 'Disabled' },
    says: 'People of the account sign in to the portal. Programs have clients instead.',
    empty: 'No members yet. The first one is an owner, who can invite others.',
    inviteOwner: 'Invite the first owner',
    inviteMember: 'Invite a member',
    newSays:
      'No email is sent. You get a sign-in link that works once, within 48 hours: pass it on to this person.',
    disabledSays:
      'A disabled member is signed out immediately and loses all credentials. Secrets that they rotated and unused sign-in links that they made end too, unless you keep them.',
    ended: (links: number, secrets: readonly string[]) =>
      `Ended: ${plural(links, 'sign-in link')}; ${plural(secrets.length, 'secret')} ${secrets.length > 0 ? `(${secrets.join(', ')})` : ''}`,
    reset: {
      ...PERSON_TEXTS.reset,
      says: 'For a leaked password, passkey or session: all sessions end, and the password and passkeys are removed. Secrets that they rotated and unused sign-in links that they made end too. You get a new sign-in link that works once, within 48 hours.',
    },
  },
} as const;
