/** docs is beside the packages in the checkout and in the container. */
import { readFile } from 'node:fs/promises';
import { renderPage } from './pages.ts';

/** The URL in the documents, which pages replace with the public URL. */
const DEFAULT_URL = 'http://127.0.0.1:8080';
const DOCS = new URL('../../../../docs/', import.meta.url);

export const GUIDES = [
  { path: '/docs/guide', file: 'integrating.md', title: 'Integrating' },
  { path: '/docs/webhooks', file: 'webhooks.md', title: 'Webhooks' },
  { path: '/docs/changelog', file: 'interface-changes.md', title: 'Changelog' },
] as const;
export const SAMPLE_FILES = [
  'reseller-sdk.mjs',
  'reseller.mjs',
  'reseller.py',
  'shop.mjs',
  'shop.php',
  'webhook-receiver.mts',
  'webhook_receiver.py',
  'webhook-receiver.php',
] as const;

export function samplePath(file: string): string {
  return `/docs/examples/${file}`;
}

export function readSample(file: (typeof SAMPLE_FILES)[number]): Promise<string> {
  return readFile(new URL(`examples/${file}`, DOCS), 'utf8');
}

type Guide = (typeof GUIDES)[number];

export async function renderGuide({ file, title }: Guide, publicUrl: string): Promise<string> {
  const text = await readFile(new URL(file, DOCS), 'utf8');
  const { Marked } = await import('marked');
  const marked = new Marked({
    renderer: {
      heading({ tokens, depth, text: heading }) {
        return `<h${depth} id="${toSlug(heading)}">${this.parser.parseInline(tokens)}</h${depth}>\n`;
      },
      codespan({ text: code }) {
        return /^\/docs\/[a-z]+$/.test(code) ? `<a href="${code}"><code>${code}</code></a>` : false;
      },
      link({ href, tokens }) {
        const label = this.parser.parseInline(tokens);
        const address = toAddress(href);
        return address === undefined ? label : `<a href="${address}">${label}</a>`;
      },
    },
  });
  return renderPage(title, await marked.parse(text.replaceAll(DEFAULT_URL, publicUrl)));
}

/** Undefined: the document is not served. */
function toAddress(href: string): string | undefined {
  if (/^(?:#|https?:)/.test(href)) return href;
  const [name, anchor] = href.split('#');
  const guide = GUIDES.find(({ file }) => file === name);
  if (guide !== undefined) return anchor === undefined ? guide.path : `${guide.path}#${anchor}`;
  const sample = SAMPLE_FILES.find((file) => href === `examples/${file}`);
  return sample === undefined ? undefined : samplePath(sample);
}

/** Builds the same slugs as Git forges, so that links work in both places. */
function toSlug(heading: string): string {
  return heading
    .toLowerCase()
    .replace(/[^\p{L}\p{N} _-]/gu, '')
    .replaceAll(' ', '-');
}
