/** Builds llms.txt for language models, in the format of llmstxt.org. */
import type { OpenApiDocument } from './document.ts';

const PAGES = [
  [
    '/docs/guide',
    'Guide',
    'how to write a client, by hand or with the SDK; error handling; rehearsals in the sandbox',
  ],
  ['/docs/webhooks', 'Webhooks', 'receiving events, verifying signatures, retries'],
  ['/docs/sdk', 'SDK', 'the reference of the TypeScript package @keyport/sdk'],
  ['/docs/errors', 'Errors', 'every error code with its meaning and remedy'],
  ['/docs/changelog', 'Changelog', 'additions and changes to the interface, by date'],
  ['/openapi.json', 'OpenAPI 3.1', 'schemas and examples of every operation'],
] as const;

type Operation = { readonly tags: readonly string[]; readonly summary: string };

export function buildLlmsText(document: OpenApiDocument): string {
  const { info, servers, tags } = document;
  const url = servers[0]?.url ?? '';
  const [summary = '', ...details] = info.description.split('\n\n');
  const operations = listOperations(document);
  const sections = tags.map(({ name, description }) => {
    const lines = operations
      .filter(({ operation }) => operation.tags[0] === name)
      .map(({ method, path, operation }) => {
        const pointer = `#/paths/${path.replaceAll('/', '~1')}/${method.toLowerCase()}`;
        return `- [${method} ${path}](${url}/openapi.json${encodeURI(pointer)}): ${operation.summary}`;
      });
    return [`## ${name}`, description, lines.join('\n')].join('\n\n');
  });
  const pages = PAGES.map(([path, name, about]) => `- [${name}](${url}${path}): ${about}`);
  const text = details.join('\n\n').replaceAll(/^## /gm, '### ');
  return [
    `# ${info.title}`,
    `> ${summary}`,
    text,
    ['## Documents', pages.join('\n')].join('\n\n'),
    ...sections,
  ]
    .join('\n\n')
    .concat('\n');
}

export function listOperations({ paths }: OpenApiDocument) {
  return Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods as Record<string, Operation>).map(([method, operation]) => ({
      method: method.toUpperCase(),
      path,
      operation,
    })),
  );
}
