/**
 * The guide for integrators (docs/integrating.md) as a page, and its sample programs as files. Both are read from the
 * folder docs, which is next to the packages in the checkout and in the container.
 */
import { readFile } from 'node:fs/promises';
import { renderPage } from './error-pages.ts';

const DOCS = new URL('../../../../docs/', import.meta.url);

export const GUIDE_PATH = '/docs/guide';
export const SAMPLE_FILES = ['reseller-sdk.mjs', 'reseller.mjs', 'reseller.py'] as const;

export function samplePath(file: string): string {
  return `/docs/examples/${file}`;
}

export function readSample(file: (typeof SAMPLE_FILES)[number]): Promise<string> {
  return readFile(new URL(`examples/${file}`, DOCS), 'utf8');
}

export async function renderGuide(): Promise<string> {
  const text = await readFile(new URL('integrating.md', DOCS), 'utf8');
  // Only this page needs it.
  const { Marked } = await import('marked');
  const marked = new Marked({
    renderer: {
      heading({ tokens, depth, text: heading }) {
        return `<h${depth} id="${slugOf(heading)}">${this.parser.parseInline(tokens)}</h${depth}>\n`;
      },
      link({ href, tokens }) {
        const label = this.parser.parseInline(tokens);
        const address = addressOf(href);
        return address === undefined ? label : `<a href="${address}">${label}</a>`;
      },
    },
  });
  const nav =
    '<nav><a href="/docs">API reference</a> / <a href="/docs/sdk">SDK</a> / <a href="/docs/errors">Errors</a></nav>';
  return renderPage('Integrating', `${nav}\n${await marked.parse(text)}`);
}

/** Where a link of the document leads on the page; undefined: to a document that is not served. */
function addressOf(href: string): string | undefined {
  if (/^(?:#|https?:)/.test(href)) return href;
  const sample = SAMPLE_FILES.find((file) => href === `examples/${file}`);
  return sample === undefined ? undefined : samplePath(sample);
}

/** As forges make the anchors of headings, so that a link to one works there and here. */
function slugOf(heading: string): string {
  return heading
    .toLowerCase()
    .replace(/[^\p{L}\p{N} _-]/gu, '')
    .replaceAll(' ', '-');
}
