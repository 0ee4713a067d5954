import { CHECK_IDS, CHECKS, CHECKUP_PATH } from '@keyport/contract/sandbox/checks';
import { formatText, renderPage } from './error-pages.ts';

export function renderCheckupPage(): string {
  const checks = CHECK_IDS.map((id) => {
    const { title, why, howTo, judged, rehearse } = CHECKS[id];
    return `<h2 id="${id}"><a href="${CHECKUP_PATH}#${id}">${formatText(title)}</a></h2>
<p>${formatText(why)}</p>
<p><strong>Do:</strong> ${formatText(howTo)}</p>
<p><strong>Judged:</strong> ${formatText(judged)}</p>
<p><strong>Rehearse:</strong> ${formatText(rehearse)}</p>`;
  });
  return renderPage(
    'Check-up',
    `<h1>Check-up</h1>
<p>The sandbox watches how your client works and judges it: <code>GET /sandbox/v1/checkup</code>, or
<code>npx keyport-sdk checkup</code>. A check passes, fails with evidence, or has had no occasion yet: the result begins
with how many of the ${CHECK_IDS.length} checks were seen, because the score is the share of these that passed. The newest 5,000
requests of each client are judged, over restarts too; <code>since</code> leaves out what came before you changed something.</p>
${checks.join('\n')}`,
  );
}
