import { texts as catalogue } from '../catalogue/texts.ts';
import { common, formatCount, isolated, plural, some } from '../texts.ts';

/** Messages by field, for an import in which only this field has no source. */
const MISSING: Readonly<Record<string, string>> = {
  sellerId: 'Choose the seller, or the column that names one.',
  offerId: 'Choose the offer, or the column that has its id.',
};

const FIELDS: Readonly<Record<string, string | undefined>> = {
  ...Object.fromEntries(Object.entries(catalogue.catalogue).filter(([, label]) => typeof label === 'string')),
  id: 'Id',
  offerId: 'Offer id',
  name: common.name,
  price: common.price,
  status: common.status,
  code: common.key,
  kind: 'Kind',
};

/** An import of keys takes keys off sale; all others take offers. */
const removals = (count: number, kind: string) => plural(count, kind === 'keys' ? 'key' : 'offer');

export const texts = {
  fields: FIELDS,
  inColumn: (field: string, column: string) => `${field} (column “${isolated(column)}”)`,
  drop: 'Drop a file here, or choose one',
  dropHint:
    'CSV with any columns and delimiter, or NDJSON. Nothing is imported until you have seen what would happen.',
  fileProblems: {
    empty: (name: string) => `There are no columns in ${isolated(name)}. Choose a CSV or NDJSON file.`,
    spreadsheet: (name: string) =>
      `${isolated(name)} is a spreadsheet. Open it, save it as CSV (in Excel: CSV UTF-8), and choose that file.`,
    binary: (name: string) => `${isolated(name)} is not a text file. Choose a CSV or NDJSON file.`,
    unreadable: (name: string) => `${isolated(name)} could not be read. Choose it again.`,
  },
  stepsLabel: 'Steps',
  steps: ['File', 'Columns', 'Check', 'Run'],
  kind: 'Content',
  kinds: {
    prices: 'Prices of offers',
    offers: 'Offers',
    products: 'Products',
    keys: 'Keys',
    sellers: 'Sellers',
  },
  asItIs: 'NDJSON is sent unchanged.',
  firstLine: 'The first line names the columns',
  columns: 'Columns',
  field: 'Field',
  column: 'Column in the file',
  toColumn: (field: string) => `Column for ${field}`,
  fixedOf: (field: string) => `${field} for every line`,
  required: 'required',
  noColumn: 'None',
  unnamed: (place: number) => `Column ${place}`,
  fixed: 'The same for every line',
  sample: (place: number) => `Sample ${place}`,
  deleteMissing: 'Take off sale everything that is not in the file',
  deleteMissingSays: {
    offers: 'Other offers of the sellers in the file are paused.',
    prices: 'Other offers of the sellers in the file are paused.',
    products: 'Offers of all other products are paused.',
    keys: 'Other unsold keys of the offers in the file are withdrawn.',
    sellers: 'Offers of all other sellers are paused.',
  },
  offerNames: 'id (or productId and sellerId)',
  missing: (fields: readonly string[]) =>
    MISSING[fields.join()] ?? `Choose a column, or enter one text for every line: ${fields.join(', ')}.`,
  seller: 'Seller of every line',
  offer: 'Offer of every line',
  forms: { uuid: 'UUID', productId: '14 digits', seller: 'UUID or name', price: 'In EUR' },
  likely: (columns: readonly string[]) =>
    `More than one column matches: ${columns.map(isolated).join(', ')}.`,
  wholeProducts: 'Each line replaces the whole product: details without a column are cleared.',
  nothingToDo: 'There is nothing to import.',
  trimmed: (count: number) =>
    `${plural(count, 'code', 'codes')} had blanks or invisible characters at an end, which were removed.`,
  check: 'Check the file',
  checking: 'Checking',
  running: 'Importing',
  of: (read: number, lines: number) => `${formatCount(read)} of about ${plural(lines, 'line')}`,
  checkResult: 'What would happen',
  result: 'Result',
  wouldWrite: (written: number, unchanged: number, rejected: number) =>
    `${plural(written, 'line')} would change something, ${formatCount(unchanged)} unchanged, ${formatCount(rejected)} rejected.`,
  wrote: (written: number, unchanged: number, rejected: number) =>
    `${plural(written, 'line')} imported, ${formatCount(unchanged)} unchanged, ${formatCount(rejected)} rejected.`,
  wouldRemove: (count: number, kind: string) => `${removals(count, kind)} would be taken off sale.`,
  removed: (count: number, kind: string) => `${removals(count, kind)} taken off sale.`,
  confirmRemovals: (count: number, kind: string) =>
    `This takes ${removals(count, kind)} off sale, a large part of the catalogue. Check that the file is complete.`,
  line: (line: number) => `Line ${formatCount(line)}`,
  downloadRejects: (count: number) => `Download ${plural(count, 'rejected line')}`,
  run: (count: number) => `Import ${plural(count, 'line')}`,
  runAndRemove: (count: number, removed: number, kind: string) =>
    `Import ${plural(count, 'line')}, take ${removals(removed, kind)} off sale`,
  discard: 'Choose another file',
  another: 'Back to imports',
  stop: 'Stop',
  stopped: 'Stopped.',
  lost: 'The connection ended before the report of the service.',
  tooLarge:
    'A proxy in front of the service rejects files of this size (413). Ask an administrator to allow larger bodies there (nginx: client_max_body_size 0), or import the file with the command.',
  stored: (run: Record<'read' | 'written' | 'unchanged' | 'rejected', number> | undefined) =>
    run === undefined
      ? 'The service has read no line of the file.'
      : `The service has read ${plural(run.read, 'line')}: ${formatCount(run.written)} changed something, ${formatCount(run.unchanged)} unchanged, ${formatCount(run.rejected)} rejected.`,
  sendAgain: 'Send the file again: lines that are stored are unchanged.',
  goOn: 'Send again',
  look: 'Open the catalogue',
  runs: 'Earlier imports',
  states: { running: 'Running', stopped: 'Stopped', completed: 'Completed' },
  read: 'Lines',
  written: 'Changed',
  unchanged: 'Unchanged',
  rejected: 'Rejected',
  takenOff: 'Taken off sale',
  by: 'By',
  endedAt: 'Ended',
  importId: 'Import id',
  noRuns: 'No imports yet.',
  oneRun: 'Import',
  runTitle: (kind: string, isCheck: boolean) => `${isCheck ? 'Check' : 'Import'} of ${kind.toLowerCase()}`,
  rejectedLines: 'Rejected lines',
  lineNumber: 'Line',
  noRejects: 'No line was rejected.',
  rejectsGone: 'Rejected lines are deleted after 30 days.',
  file: 'File',
  outlier: 'Check',
  outliers: (count: number) =>
    `${plural(count, 'price is', 'prices are')} more than three times the previous price, or less than a third of it. Check for typing errors such as 199 instead of 1.99.`,
  statusesChange: (paused: number, activated: number) =>
    `Existing offers: ${formatCount(paused)} paused, ${formatCount(activated)} activated.`,
  pricesChange: (count: number, shown: number, isCheck: boolean) =>
    `${isCheck ? plural(count, 'price changes', 'prices change') : plural(count, 'price changed', 'prices changed')}; ${shown === count ? 'the largest change first' : `the ${shown} largest changes`}`,
  priceNow: 'Before',
  priceThen: 'After',
  priceList: 'Prices before and after',
  undo: 'Undo import',
  undoTitle: (name: string) => `Undo the import of ${isolated(name)}`,
  undoSays: (
    effect: Record<'changedBack' | 'paused' | 'withdrawn' | 'restored' | 'kept', number>,
    kind: string,
  ) => {
    const { changedBack, paused, withdrawn, restored, kept } = effect;
    const back = plural(changedBack, 'offer returns to its', 'offers return to their');
    const staying = plural(kept, 'key withdrawn since then stays', 'keys withdrawn since then stay');
    return [
      ...some(changedBack, `${back} previous price and status.`),
      ...some(paused, `${plural(paused, 'added offer is', 'added offers are')} paused.`),
      ...some(
        withdrawn,
        `${plural(withdrawn, 'added key is', 'added keys are')} withdrawn and can be added again.`,
      ),
      ...some(restored, `${removals(restored, kind)} ${restored === 1 ? 'goes' : 'go'} back on sale.`),
      ...some(kept, `${staying} unchanged.`),
    ].join(' ');
  },
  undoDone: (kept: number) =>
    kept === 0 ? 'Import undone' : `Import undone; ${formatCount(kept)} left unchanged`,
  restore: 'Put back on sale',
  restoreTitle: (count: number, kind: string) => `Put ${removals(count, kind)} back on sale`,
  restoreSays: 'Later changes are kept.',
  restored: (restored: number, kept: number, kind: string) =>
    `${removals(restored, kind)} back on sale${kept === 0 ? '' : `, ${formatCount(kept)} left unchanged`}`,
} as const;
