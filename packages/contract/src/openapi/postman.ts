/** A collection in format 2.1, which Postman, Insomnia and Bruno import. */
import type { Json, OpenApiDocument } from './document.ts';

type Parameter = {
  readonly name: string;
  readonly in: 'path' | 'query' | 'header';
  readonly description?: string;
  readonly required?: boolean;
  readonly schema: Schema;
};
type Schema = { readonly examples?: readonly unknown[]; readonly default?: unknown; readonly items?: Schema };
type Media = {
  readonly example?: unknown;
  readonly examples?: Readonly<Record<string, { readonly value: unknown }>>;
};
type Operation = {
  readonly tags: readonly string[];
  readonly summary: string;
  readonly description: string;
  readonly parameters?: readonly Parameter[];
  readonly requestBody?: { readonly content: Readonly<Record<string, Media>> };
  readonly security?: readonly object[];
};

const SCHEMA = 'https://schema.getpostman.com/json/collection/v2.1.0/collection.json';

const OAUTH = {
  grant_type: 'client_credentials',
  accessTokenUrl: '{{baseUrl}}/oauth/token',
  clientId: '{{clientId}}',
  clientSecret: '{{clientSecret}}',
  client_authentication: 'header',
  addTokenTo: 'header',
};

export function buildPostmanCollection(document: OpenApiDocument): Json {
  const { info, servers, tags } = document;
  return {
    info: { name: info.title, description: info.description, schema: SCHEMA },
    auth: { type: 'oauth2', oauth2: pairsOf(OAUTH) },
    variable: pairsOf({ baseUrl: servers[0]?.url ?? '', clientId: '', clientSecret: '' }),
    item: tags.map(({ name, description }) => ({
      name,
      description,
      item: operationsOf(document)
        .filter(({ operation }) => operation.tags[0] === name)
        .map(requestOf),
    })),
  };
}

export type ListedOperation = {
  readonly method: string;
  readonly path: string;
  readonly operation: Operation;
};

export function operationsOf({ paths }: OpenApiDocument): ListedOperation[] {
  return Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods as Record<string, Operation>).map(([method, operation]) => ({
      method: method.toUpperCase(),
      path,
      operation,
    })),
  );
}

function requestOf({ method, path, operation }: ListedOperation): Json {
  const { summary, description, parameters = [], requestBody, security } = operation;
  const of = (place: Parameter['in']) => parameters.filter((one) => one.in === place);
  const address = path.replaceAll(/\{(\w+)\}/g, ':$1');
  const body = requestBody === undefined ? undefined : bodyOf(requestBody.content);
  const type = body === undefined ? [] : [{ key: 'Content-Type', value: 'application/json' }];
  return {
    name: summary,
    request: {
      method,
      description,
      header: [...type, ...of('header').map(pairOf)],
      url: {
        raw: `{{baseUrl}}${address}`,
        host: ['{{baseUrl}}'],
        path: address.slice(1).split('/'),
        query: of('query').map(pairOf),
        variable: of('path').map(pairOf),
      },
      ...(body === undefined ? {} : { body }),
      ...(security?.length === 0 ? { auth: { type: 'noauth' } } : {}),
    },
    response: [],
  };
}

/** Optional parameters are disabled. */
function pairOf({ name, description = '', required, schema, in: place }: Parameter): Json {
  const [example = schema.default ?? ''] = schema.examples ?? schema.items?.examples ?? [];
  const isKey = name === 'Idempotency-Key';
  return {
    key: name,
    value: isKey ? '{{$guid}}' : String(example),
    description,
    ...(required === true || isKey || place === 'path' ? {} : { disabled: true }),
  };
}

function bodyOf(content: Readonly<Record<string, Media>>): Json {
  const { example, examples = {} } = content['application/json'] ?? {};
  const [first] = Object.values(examples);
  return {
    mode: 'raw',
    raw: JSON.stringify(example ?? first?.value ?? {}, null, 2),
    options: { raw: { language: 'json' } },
  };
}

function pairsOf(values: Readonly<Record<string, string>>): Json[] {
  return Object.entries(values).map(([key, value]) => ({ key, value, type: 'string' }));
}
