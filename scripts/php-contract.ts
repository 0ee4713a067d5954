/**
 * Generates the parts of the PHP library that follow from the contract: the shapes of requests and responses, the codes of
 * errors, and a class for each group of operations. They are kept in git, because Composer installs from it.
 */
type Json = Readonly<Record<string, unknown>>;

type Kind = 'call' | 'paged' | 'cursor' | 'feed';
type Method = readonly [name: string, operation: string, kind?: Kind];

/** Names and groups as in the SDK. */
const RESOURCES: Readonly<Record<string, readonly Method[]>> = {
  Products: [
    ['list', 'listProductOffers', 'paged'],
    ['get', 'getProduct'],
    ['changes', 'listProductChanges', 'feed'],
  ],
  Orders: [
    ['create', 'createOrder'],
    ['list', 'listOrders', 'paged'],
    ['get', 'getOrder'],
    ['keys', 'getOrderKeys'],
    ['timeline', 'getOrderTimeline'],
    ['return', 'returnOrder'],
  ],
  Reservations: [
    ['create', 'createReservation'],
    ['list', 'listReservations', 'cursor'],
    ['get', 'getReservation'],
    ['renew', 'renewReservation'],
    ['release', 'releaseReservation'],
    ['order', 'orderReservation'],
  ],
  Claims: [
    ['create', 'createClaim'],
    ['list', 'listClaims', 'cursor'],
    ['get', 'getClaim'],
    ['withdraw', 'withdrawClaim'],
  ],
  Account: [
    ['get', 'getOwnAccount'],
    ['spend', 'listOwnSpend'],
    ['statement', 'getOwnStatement', 'cursor'],
  ],
  Clients: [
    ['list', 'listOwnClients'],
    ['rotateSecret', 'rotateOwnClientSecret'],
    ['update', 'updateOwnClient'],
  ],
  Requests: [
    ['list', 'listOwnRequests', 'cursor'],
    ['counts', 'listOwnRequestCounts'],
  ],
  Events: [
    ['list', 'listEvents', 'feed'],
    ['get', 'getEvent'],
  ],
  WebhookEndpoints: [
    ['create', 'createWebhookEndpoint'],
    ['list', 'listWebhookEndpoints'],
    ['get', 'getWebhookEndpoint'],
    ['update', 'updateWebhookEndpoint'],
    ['delete', 'deleteWebhookEndpoint'],
    ['rotateSecret', 'rotateWebhookSecret'],
    ['test', 'testWebhookEndpoint'],
    ['deliveries', 'listWebhookDeliveries', 'paged'],
    ['redeliver', 'redeliverWebhook'],
    ['replay', 'replayWebhooks'],
  ],
};

/** `get` and `details` of products call these; only people manage members. */
const LEFT_OUT = /^(?:getProductOffers|listProductDetails|\w*Members?(?:Credentials)?)$/;
/** The item of these bodies stands at the top, as in the SDK. */
const WITH_ITEM = ['createOrder', 'createReservation'];
const FEED_MARKS: Readonly<Record<string, string>> = {
  listProductChanges: "'updatedAt', true",
  listEvents: "'id', false",
};
/** The client uses its new secret from then on. */
const ROTATES = 'rotateOwnClientSecret';

const HEAD =
  '<?php\n\n// Written by scripts/php-contract.ts from the contract. Do not edit.\n\ndeclare(strict_types=1);\n';
const FOLDER = 'clients/php/src';

type Operation = {
  readonly id: string;
  readonly verb: string;
  readonly path: string;
  readonly spec: Json;
};

/** Returns texts by path. */
export function buildPhpContract(document: Json, version: string): Readonly<Record<string, string>> {
  const schemas = objectAt(document, 'components', 'schemas');
  const operations = listOperations(document);
  const sandbox = [...operations.values()]
    .filter(({ path }) => path.startsWith('/sandbox/'))
    .map(({ id }): Method => [sandboxName(id), id]);
  const resources = { ...RESOURCES, Sandbox: sandbox };
  const covered = Object.values(resources).flatMap((methods) => methods.map(([, id]) => id));
  for (const { id, path } of operations.values())
    if (/^\/(?:export|sandbox)\//.test(path) && !covered.includes(id) && !LEFT_OUT.test(id))
      throw new Error(`the PHP library has no method for ${id}: name it in scripts/php-contract.ts`);
  const files = Object.entries(resources).map(([name, methods]) => [
    `${FOLDER}/Resources/${name}.php`,
    printResource(name, methods, operations),
  ]);
  return {
    [`${FOLDER}/Types.php`]: printTypes(schemas),
    'clients/php/OPERATIONS.md': printTable(resources, operations),
    [`${FOLDER}/ErrorCode.php`]: printErrorCodes(schemas),
    [`${FOLDER}/Version.php`]: `${HEAD}\nnamespace Keyport;\n\nfinal class Version\n{\n    public const NUMBER = '${version}';\n}\n`,
    ...Object.fromEntries(files),
  };
}

function listOperations(document: Json): Map<string, Operation> {
  const operations = new Map<string, Operation>();
  for (const [path, verbs] of Object.entries(objectAt(document, 'paths')))
    for (const [verb, value] of Object.entries(asObject(verbs))) {
      const spec = asObject(value);
      const id = spec['operationId'];
      if (typeof id === 'string') operations.set(id, { id, verb: verb.toUpperCase(), path, spec });
    }
  return operations;
}

/** `holdSandboxOrder` is `sandbox()->holdOrder()`, `getCheckup` is `sandbox()->checkup()`. */
function sandboxName(id: string): string {
  return id.replace('Sandbox', '').replace(/^get(\w)/, (_, first: string) => first.toLowerCase());
}

function printResource(
  name: string,
  methods: readonly Method[],
  operations: ReadonlyMap<string, Operation>,
): string {
  const types = new Set<string>();
  const uses = new Set(['Keyport\\CallOptions', 'Keyport\\Internal\\Resource']);
  const printed = methods.map((method) => {
    const operation = operations.get(method[1]);
    if (operation === undefined) throw new Error(`the contract has no operation ${method[1]}`);
    return printMethod(method, operation, types, uses);
  });
  const body = printed.join('\n');
  if (body.includes('Text::')) uses.add('Keyport\\Internal\\Text');
  const hasDetails = name === 'Products';
  if (hasDetails) uses.add('Keyport\\Internal\\ProductDetails');
  const imports = [...types].sort().map((type) => ` * @phpstan-import-type ${type} from \\Keyport\\Types\n`);
  const about = ` * \`$keyport->${name[0]?.toLowerCase()}${name.slice(1)}()\`\n`;
  return `${HEAD}
namespace Keyport\\Resources;

${[...uses]
  .sort()
  .map((use) => `use ${use};\n`)
  .join('')}
/**
${about}${imports.length === 0 ? '' : ` *\n${imports.join('')}`} */
final class ${name} extends Resource
{
${hasDetails ? '    use ProductDetails;\n\n' : ''}${body}}
`;
}

type Argument = {
  readonly name: string;
  readonly type: string;
  readonly php: string;
  readonly otherwise?: string;
};

function printMethod(
  [name, id, kind = 'call']: Method,
  { verb, path, spec }: Operation,
  types: Set<string>,
  uses: Set<string>,
): string {
  const use = (type: string) => {
    for (const [word] of type.matchAll(/(?<!['\w-])[A-Z][A-Za-z]+(?![\w'])/g)) types.add(word);
    return type;
  };
  const parameters = listAt(spec, 'parameters');
  const places = parameters.filter((one) => one['in'] === 'path').map((one) => String(one['name']));
  const filters = parameters.filter((one) => one['in'] === 'query');
  const bodySchema = objectAt(spec, 'requestBody', 'content', 'application/json', 'schema');
  // The body of ordering a reservation is an empty object.
  const isEmpty =
    bodySchema['type'] === 'object' && Object.keys(objectAt(bodySchema, 'properties')).length === 0;
  const hasBody = Object.keys(bodySchema).length > 0 && !isEmpty;
  const isBodyOptional = hasBody && !requires(bodySchema);
  const takesKey = parameters.some((one) => one['name'] === 'Idempotency-Key');
  const withItem = WITH_ITEM.includes(id);
  const itemOf = `CreateOrderItem&array{reference?: string${id === 'createReservation' ? ', ttlSeconds?: int' : ''}}`;
  const args: Argument[] = [
    ...places.map((place) => ({ name: place, type: 'string', php: 'string' })),
    ...(hasBody
      ? [
          {
            name: withItem ? 'request' : 'body',
            type: use(withItem ? itemOf : print(bodySchema)),
            php: 'array',
            ...(isBodyOptional ? { otherwise: '[]' } : {}),
          },
        ]
      : []),
    ...(filters.length > 0
      ? [{ name: 'query', type: use(printFilters(filters)), php: 'array', otherwise: '[]' }]
      : []),
    { name: 'options', type: 'CallOptions|null', php: '?CallOptions', otherwise: 'null' },
  ];
  const data = use(print(responseData(spec, 'data')));
  const answered = kind === 'call' ? data : listType(kind, use, spec, data);
  if (kind !== 'call') uses.add(`Keyport\\${answered.slice(0, answered.indexOf('<'))}`);
  const php = phpType(answered);
  const docs = [
    ...wrap(`${String(spec['summary'])}. ${String(spec['description'] ?? '')}`),
    '',
    ...args.filter(({ php: own }) => own === 'array').map(({ name: own, type }) => `@param ${type} $${own}`),
    ...(php === 'void' || php === 'string' ? [] : [`@return ${answered}`]),
  ];
  while (docs.at(-1) === '') docs.pop();
  const signature = args.map(
    (one) => `${one.php} $${one.name}${one.otherwise === undefined ? '' : ` = ${one.otherwise}`}`,
  );
  const target = `'${path}'`
    .replaceAll(/\{(\w+)\}/g, (_, place: string) => `' . Text::segment('${place}', $${place}) . '`)
    .replace(" . ''", '');
  return `    /**
${docs.map((line) => `     *${line === '' ? '' : ` ${line}`}\n`).join('')}     */
    public function ${name}(${signature.join(', ')}): ${php}
    {
${printWork({ id, kind, verb, target, hasBody, withItem, hasFilters: filters.length > 0, answered, php, takesKey, isEmpty })}    }
`;
}

function printWork(work: {
  readonly id: string;
  readonly kind: Kind;
  readonly verb: string;
  readonly target: string;
  readonly hasBody: boolean;
  readonly withItem: boolean;
  readonly hasFilters: boolean;
  readonly answered: string;
  readonly php: string;
  readonly takesKey: boolean;
  readonly isEmpty: boolean;
}): string {
  const { id, kind, verb, target, hasBody, withItem, hasFilters, answered, php, takesKey, isEmpty } = work;
  const query = hasFilters ? '$query' : '[]';
  if (kind === 'paged')
    return `        return new PagedList($this->transport, ${target}, ${query}, $options);\n`;
  if (kind === 'cursor')
    return `        return new CursorList($this->transport, ${target}, ${query}, $options);\n`;
  if (kind === 'feed')
    return `        return new Feed($this->transport, ${target}, ${FEED_MARKS[id]}, ${query}, $options);\n`;
  const body = withItem ? 'self::withItem($request)' : hasBody ? '$body' : isEmpty ? '[]' : 'null';
  const call =
    verb === 'GET'
      ? `$this->transport->read(${target}, ${query}, $options)`
      : takesKey
        ? `$this->transport->write('${verb}', ${target}, ${body}, $options)`
        : `$this->transport->envelope('${verb}', ${target}, [], ${body}, $options)['data']`;
  if (php === 'void') return `        ${call};\n`;
  const adopts =
    id === ROTATES
      ? "        $this->transport->adoptSecret($data['clientId'], $data['clientSecret']);\n"
      : '';
  return `        /** @var ${answered} $data */\n        $data = ${call};\n${adopts}        return $data;\n`;
}

function listType(kind: Kind, use: (type: string) => string, spec: Json, data: string): string {
  const item = data.replace(/^list<(.*)>$/s, '$1');
  if (kind === 'paged') return `PagedList<${item}>`;
  if (kind === 'feed') return `Feed<${item}>`;
  return `CursorList<${item}, ${use(print(responseData(spec, 'meta')))}>`;
}

function phpType(type: string): string {
  if (type === 'never') return 'void';
  return type.includes('List<') && /^\w+List</.test(type)
    ? type.slice(0, type.indexOf('<'))
    : type.startsWith('Feed<')
      ? 'Feed'
      : 'array';
}

function responseData(spec: Json, member: string): Json {
  const success =
    Object.keys(objectAt(spec, 'responses'))
      .filter((status) => /^2/.test(status))
      .sort()[0] ?? '';
  const schema = objectAt(spec, 'responses', success, 'content', 'application/json', 'schema');
  return Object.keys(schema).length === 0 ? { not: {} } : objectAt(schema, 'properties', member);
}

function requires(schema: Json): boolean {
  if ('$ref' in schema) return true;
  const required = schema['required'];
  return Array.isArray(required) && required.length > 0;
}

function printFilters(filters: readonly Json[]): string {
  const members = filters.map((filter) => {
    const name = String(filter['name']).replace(/\[\]$/, '');
    return `${name}?: ${print(objectAt(filter, 'schema'))}`;
  });
  return `array{${members.join(', ')}}`;
}

function printTypes(schemas: Json): string {
  const types = Object.entries(schemas).map(
    ([name, schema]) => ` * @phpstan-type ${name} ${print(asObject(schema))}\n`,
  );
  return `${HEAD}
namespace Keyport;

/**
 * The shapes of requests and responses. Import one with \`@phpstan-import-type Order from \\Keyport\\Types\`.
 *
${types.join('')} */
final class Types
{
}
`;
}

/** Each method of the library beside the one of the SDK. */
function printTable(
  resources: Readonly<Record<string, readonly Method[]>>,
  operations: ReadonlyMap<string, Operation>,
): string {
  const rows = Object.entries(resources).flatMap(([resource, methods]) => {
    const name = `${resource[0]?.toLowerCase()}${resource.slice(1)}`;
    const listed = methods.map(([method, id]) => {
      const { verb, path } = operations.get(id) ?? { verb: '', path: '' };
      return `| \`${name}.${method}\` | \`${name}()->${method}()\` | \`${verb} ${path}\` |\n`;
    });
    const details =
      '| `products.details` | `products()->details()` | `GET /export/v1/products`, 20 ids at a time |\n';
    return resource === 'Products' ? [...listed, details] : listed;
  });
  return `<!-- Written by scripts/php-contract.ts from the contract. Do not edit. -->
# Methods, beside those of the TypeScript SDK

| TypeScript | PHP | Operation |
|---|---|---|
${rows.join('')}| \`createOrderOnce(keyport, file, request)\` | \`$keyport->createOrderOnce($journal, $request)\` | \`POST /export/v1/orders\` |
| \`createReservationOnce(keyport, file, request)\` | \`$keyport->createReservationOnce($journal, $request)\` | \`POST /export/v1/reservations\` |
| \`new CatalogueMirror(keyport, file)\` | \`new CatalogueMirror($keyport, $pdo)\` | \`GET /export/v1/product-offers/changes\` |
| \`verifyWebhook({ body, headers, secret })\` | \`Webhook::verify($body, $headers, $secret)\` | – |
| \`keyport.request({ method, path, query, body })\` | \`$keyport->request($method, $path, $query, $body)\` | any |

In PHP the ids in a path come first (\`claims()->create($orderId, [...])\`), and options are the last argument:
\`new CallOptions(timeoutMs: 5000, idempotencyKey: $key)\`.
`;
}

function printErrorCodes(schemas: Json): string {
  const code = objectAt(schemas, 'ErrorCode');
  const values = (code['enum'] ?? code['x-extensible-enum'] ?? []) as readonly string[];
  const lines = values.map(
    (value) => `    public const ${value.toUpperCase().replaceAll('-', '_')} = '${value}';\n`,
  );
  return `${HEAD}
namespace Keyport;

/** The known codes of KeyportError. Later versions of the service may add codes: handle an unknown one by its status. */
final class ErrorCode
{
${lines.join('')}}
`;
}

function print(schema: Json): string {
  if (typeof schema['$ref'] === 'string') return schema['$ref'].slice(schema['$ref'].lastIndexOf('/') + 1);
  if ('not' in schema) return 'never';
  if ('const' in schema) return literal(schema['const']);
  if (Array.isArray(schema['enum'])) return schema['enum'].map(literal).join('|');
  if (Array.isArray(schema['x-extensible-enum'])) return 'string';
  const choices = [...listAt(schema, 'anyOf'), ...listAt(schema, 'oneOf')];
  if (choices.length > 0) return [...new Set(choices.map(print))].join('|');
  switch (schema['type']) {
    case 'array':
      return `list<${print(objectAt(schema, 'items'))}>`;
    case 'object':
      return printObject(schema);
    case 'integer':
      return 'int';
    case 'number':
      return 'int|float';
    case 'boolean':
      return 'bool';
    case 'string':
    case 'null':
      return schema['type'];
    default:
      return 'mixed';
  }
}

function printObject(schema: Json): string {
  if (!('properties' in schema)) {
    const values = schema['additionalProperties'];
    return `array<string, ${typeof values === 'object' && values !== null ? print(asObject(values)) : 'mixed'}>`;
  }
  const required = Array.isArray(schema['required']) ? schema['required'] : [];
  const members = Object.entries(objectAt(schema, 'properties')).map(
    ([name, member]) =>
      `${/^\w+$/.test(name) ? name : `'${name}'`}${required.includes(name) ? '' : '?'}: ${print(asObject(member))}`,
  );
  return members.length === 0 ? 'array<string, mixed>' : `array{${members.join(', ')}}`;
}

function literal(value: unknown): string {
  return typeof value === 'string' ? `'${value.replaceAll("'", "\\'")}'` : String(value);
}

const LINE_LENGTH_MAX = 110;

function wrap(text: string): string[] {
  const lines: string[] = [];
  for (const word of text.replaceAll('*/', '* /').trim().split(/\s+/)) {
    const last = lines.at(-1);
    if (last === undefined || last.length + word.length >= LINE_LENGTH_MAX) lines.push(word);
    else lines[lines.length - 1] = `${last} ${word}`;
  }
  return lines;
}

function objectAt(value: Json, ...path: readonly string[]): Json {
  return path.reduce<Json>((at, name) => asObject(at[name]), value);
}

function listAt(value: Json, name: string): Json[] {
  const list: unknown = value[name];
  return Array.isArray(list) ? list.map(asObject) : [];
}

function asObject(value: unknown): Json {
  return typeof value === 'object' && value !== null ? (value as Json) : {};
}
