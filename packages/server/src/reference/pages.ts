/** Plain HTML without scripts, for error.doc_url. */
import {
  ERROR_CODES,
  type ErrorCode,
  type ErrorSpec,
  errorDocPath,
  errorSpec,
} from '@keyport/contract/errors';
import { buildErrorExample } from '@keyport/contract/openapi/examples';
import { OPERATION_LIST, operationErrors } from '@keyport/contract/operations';
import { CHECK_IDS, CHECKS, CHECKUP_PATH } from '@keyport/contract/sandbox/checks';
import { hasScenarios, SCENARIO_HEADER, toScenario } from '@keyport/contract/sandbox/scenarios';

export const STYLE = `
:root { color-scheme: light dark; --text: #1c2024; --muted: #60646c; --line: #dcdfe4; --box: #f4f5f7; --link: #3b5bdb; }
@media (prefers-color-scheme: dark) {
  :root { --text: #edeef0; --muted: #a3a8b0; --line: #34383f; --box: #1d2025; --link: #9db4ff; }
  body { background: #111316; }
}
* { box-sizing: border-box; }
body { margin: 0 auto; max-width: 46rem; padding: 2rem 1.25rem 4rem; color: var(--text);
  font: 1rem/1.6 system-ui, -apple-system, "Segoe UI", sans-serif; }
nav, .status { color: var(--muted); font-size: 0.9rem; }
a { color: var(--link); }
h1 { font-size: 1.75rem; line-height: 1.25; margin: 1rem 0 0; overflow-wrap: anywhere; }
h2 { font-size: 1.1rem; margin: 2rem 0 0.5rem; }
.status { margin: 0.25rem 0 1.25rem; }
.message { border-left: 3px solid var(--link); margin: 0; padding: 0.1rem 0 0.1rem 1rem; }
code, pre { font: 0.9em/1.5 ui-monospace, SFMono-Regular, Menlo, Consolas, monospace; }
code { background: var(--box); border-radius: 4px; padding: 0.1em 0.3em; overflow-wrap: anywhere; }
pre code { background: none; padding: 0; }
pre { background: var(--box); border: 1px solid var(--line); border-radius: 8px; padding: 1rem; overflow-x: auto; }
table { border-collapse: collapse; width: 100%; }
th, td { border-bottom: 1px solid var(--line); padding: 0.5rem 1rem 0.5rem 0; text-align: left; vertical-align: top; }
th { font-weight: 600; }
td code { white-space: nowrap; }
li { margin: 0.3rem 0; }
`;

const RETRY: Readonly<Record<NonNullable<ErrorSpec['retry']>, string>> = {
  'change-request': 'No. The same request fails again; change something first.',
  'read-order':
    'No, and do not change the request either: the order exists, and another one would be a second purchase. Read the order instead.',
  'same-request-later':
    'Yes, after a pause: the same request, for an order with the same <code>Idempotency-Key</code>. Wait as long as <code>Retry-After</code> says, if it is present.',
  'new-token': 'Yes, with a new access token.',
};

/** `publicUrl` is for the example's doc_url; `isSandbox` shows how to force the error. */
export function renderErrorPage(code: ErrorCode, publicUrl: string, isSandbox: boolean): string {
  const spec: ErrorSpec = errorSpec(code);
  const example = JSON.stringify(buildErrorExample(code, publicUrl), null, 2);
  return renderPage(
    code,
    `<h1><code>${code}</code></h1>
<p class="status">HTTP status ${spec.status}</p>
<p class="message">${formatText(spec.message)}</p>
<h2>What happened</h2>
<p>${formatText(spec.meaning)}</p>
<h2>What to do</h2>
<ol>${spec.remedy.map((step) => `<li>${formatText(step)}</li>`).join('')}</ol>
<h2>May I send the request again?</h2>
<p>${RETRY[spec.retry ?? 'change-request']}</p>
${renderData(spec)}<h2>Example</h2>
<pre>${escapeHtml(example)}</pre>${isSandbox ? renderScenario(code) : ''}`,
  );
}

/** Empty if no reseller operation returns it. */
function renderScenario(code: ErrorCode): string {
  const operations = OPERATION_LIST.filter(
    (operation) => hasScenarios(operation) && operationErrors(operation).includes(code),
  );
  if (operations.length === 0) return '';
  const names = operations.map(({ method, path }) => `<li><code>${method} ${path}</code></li>`);
  return `
<h2>Rehearse it</h2>
<p>This header forces it in the sandbox:</p>
<pre>${SCENARIO_HEADER}: ${toScenario(code)}</pre>
<details><summary>Operations that return it</summary><ul>${names.join('')}</ul></details>`;
}

export function renderErrorIndex(): string {
  const rows = ERROR_CODES.toSorted((a, b) => errorSpec(a).status - errorSpec(b).status).map(
    (code) =>
      `<tr><td>${errorSpec(code).status}</td><td><a href="${errorDocPath(code)}"><code>${code}</code></a></td><td>${formatText(errorSpec(code).message)}</td></tr>`,
  );
  return renderPage(
    'Errors',
    `<h1>Errors</h1>
<p>Every error response has the same form: a <code>traceId</code>, and an <code>error</code> with a stable <code>code</code>, a
<code>message</code>, the <code>status</code>, often <code>data</code> or <code>errors</code> (one per field), and a
<code>doc_url</code> that leads to a page below. Decide by <code>code</code>, never by <code>message</code>.</p>
<table><thead><tr><th>Status</th><th>Code</th><th>Message</th></tr></thead><tbody>${rows.join('')}</tbody></table>`,
  );
}

function renderData({ data }: ErrorSpec): string {
  if (data === undefined) return '';
  const rows = Object.entries(data.properties).map(([name, member]) => {
    const meaning = String(Reflect.get(member, 'description') ?? '');
    return `<tr><td><code>${name}</code></td><td>${formatText(meaning)}</td></tr>`;
  });
  return `<h2>Members of error.data</h2>
<table><tbody>${rows.join('')}</tbody></table>
`;
}

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
<code>npx keyport-sdk checkup</code>. A check passes, fails with evidence, or has not been seen yet. The score is the
share of seen checks that passed, so the result also states how many of the ${CHECK_IDS.length} checks were seen. The newest 5,000
requests of each client within seven days are judged; set <code>since</code> to leave out requests from before your last change. Requests
that come too fast are left out, and no check fails because of them.</p>
${checks.join('\n')}`,
  );
}

const PAGES = [
  ['/docs', 'API reference'],
  ['/docs/guide', 'Guide'],
  ['/docs/sdk', 'SDK'],
  ['/docs/webhooks', 'Webhooks'],
  ['/docs/errors', 'Errors'],
  ['/docs/changelog', 'Changelog'],
];
const NAV = `<nav>${PAGES.map(([path, name]) => `<a href="${path}">${name}</a>`).join(' / ')}</nav>`;

export function renderPage(title: string, body: string): string {
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escapeHtml(title)} – Keyport API</title>
<style>${STYLE}</style>
</head>
<body>
${NAV}
${body}
</body>
</html>
`;
}

/** Text between backticks is code. */
function formatText(text: string): string {
  return escapeHtml(text).replace(/`([^`]+)`/g, '<code>$1</code>');
}

function escapeHtml(text: string): string {
  return text
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;');
}
