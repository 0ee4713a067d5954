/** The changes of an entry of the log as a table, and its other members in words. */
import type { OperatorElement } from '@keyport/sdk-source/admin';
import { common } from '../texts.ts';
import { Facts, type FactsOf } from '../ui/page.tsx';
import { Isolated, ShortId } from '../ui/values.tsx';
import { wordReason } from '../ui/wording.ts';
import { texts } from './texts.ts';
import { type Change, changesIn, changesOfOffer, isChange, SHOWN_MAX, toLabel, toWords } from './words.ts';

type Entry = OperatorElement<'listAudit'>;

export function Details({ entry: { data, address, traceId } }: { readonly entry: Entry }) {
  const { reason, changes: listed, ...others } = data;
  // The number of listed changes is in the row.
  const rest = Object.entries(others).filter(
    ([name, value]) => !isChange(value) && !(name === 'count' && Array.isArray(listed)),
  );
  const changes = [
    ...changesIn(others),
    ...(Array.isArray(listed) ? listed.flatMap(changesOfOffer) : changesIn(listed)),
  ];
  const facts: FactsOf = [
    ...rest.map(([name, value]) => [toLabel(name), toWords(name, value)] as const),
    [texts.address, address ?? null],
    [
      common.traceId,
      traceId === undefined ? null : <ShortId key="trace" id={traceId} what={common.traceId} />,
    ],
  ];
  return (
    <details className="audit-details">
      <summary>
        <Isolated>{typeof reason === 'string' ? wordReason(reason) : common.details}</Isolated>
      </summary>
      {changes.length === 0 ? null : <Changes changes={changes} />}
      <Facts facts={facts} />
    </details>
  );
}

function Changes({ changes }: { readonly changes: readonly Change[] }) {
  const more = changes.length - SHOWN_MAX;
  return (
    <>
      <table>
        <thead>
          <tr>
            <th scope="col">{texts.member}</th>
            <th scope="col">{texts.before}</th>
            <th scope="col">{texts.after}</th>
          </tr>
        </thead>
        <tbody>
          {changes.slice(0, SHOWN_MAX).map(({ member, before, after }) => (
            <tr key={member}>
              <th scope="row">{toLabel(member)}</th>
              <td>
                <Isolated>{toWords(member, before)}</Isolated>
              </td>
              <td>
                <Isolated>{toWords(member, after)}</Isolated>
              </td>
            </tr>
          ))}
        </tbody>
      </table>
      {more > 0 ? <p>{common.others(more)}</p> : null}
    </>
  );
}
