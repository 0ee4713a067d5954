/**
 * The statements of the service whose rows have a declared type, and those without rows. A statement is evaluated in the scope of its
 * module; local names get the value of their initializer, an argument of a caller, or a sample of their type.
 */
import { registerHooks, stripTypeScriptTypes } from 'node:module';
import { join, relative } from 'node:path';
import { pathToFileURL } from 'node:url';
import {
  type BindingElement,
  type FunctionDeclaration,
  type Identifier,
  isBindingElement,
  isCallExpression,
  isFunctionDeclaration,
  isFunctionLikeDeclaration,
  isIdentifier,
  isParameterDeclaration,
  isPropertyAccessExpression,
  isShorthandPropertyAssignment,
  isTaggedTemplateExpression,
  isTypeNode,
  isVariableDeclaration,
  type Node,
  type ParameterDeclaration,
  type VariableDeclaration,
} from 'typescript/unstable/ast';
import { API, type Checker, SignatureKind, type Type, TypeFlags } from 'typescript/unstable/sync';
import { sql } from '../../src/db/sql.ts';
import { ROOT } from './sources.ts';

export type Statement = {
  readonly place: string;
  /** Undefined if it declares no row type. */
  readonly members: ReadonlyMap<string, Member> | undefined;
  /** The type of all members that have no name. */
  readonly others: Member | undefined;
  /** Returns a string or an `Sql`. Rejects if the expression needs a running service. */
  readonly evaluate: () => Promise<unknown>;
};

type Member = {
  readonly text: string;
  readonly isNullable: boolean;
  /** Whether the declared type includes this value (not null). */
  readonly declares: (value: unknown) => boolean;
};

type Scope = (code: string) => unknown;

const SCOPE = '?scope';

registerHooks({
  /** A module imported as `file.ts?scope` has one more export, which has access to all of its names. */
  load(url, context, nextLoad) {
    const loaded = nextLoad(url, context);
    if (!url.endsWith(SCOPE)) return loaded;
    return { ...loaded, source: `${loaded.source}\nexport const scope = (code) => eval(code);` };
  },
});

/** Tags of rows.ts without a row type. */
const WITHOUT_ROWS = new Set(['execute', 'hasRows']);
const NO_ROWS = { members: undefined, others: undefined };

const SOURCES = join(ROOT, 'packages/server/src');
/** The compiler reads `CONFIG_TEXT` instead of a file at this path. */
const CONFIG = join(ROOT, 'packages/server/statements.json');
const CONFIG_TEXT = JSON.stringify({
  extends: '../tsconfig.json',
  include: ['src'],
  exclude: ['**/*.test.ts'],
});

export function readStatements(): { readonly statements: readonly Statement[]; close(): void } {
  const api = new API({ cwd: ROOT, fs: { readFile: (path) => (path === CONFIG ? CONFIG_TEXT : undefined) } });
  const project = api.updateSnapshot({ openProjects: [CONFIG] }).getProject(CONFIG);
  if (project === undefined) throw new Error('the compiler does not open the server');
  const { checker, program, rootFiles } = project;
  const evaluate = evaluator(checker);
  const toMembers = memberReader(checker);
  const statements = [...rootFiles].sort().flatMap((path) => {
    const file = program.getSourceFile(path);
    if (file === undefined) throw new Error(`the compiler does not read ${path}`);
    return [...nodesIn(file)].flatMap((node) => {
      const { row, text } = toParts(node, checker) ?? {};
      if (text === undefined || row?.isTypeParameter()) return [];
      const line = file.getLineAndCharacterOfPosition(text.getStart()).line + 1;
      const place = `${relative(SOURCES, path)}:${line}`;
      return { place, ...(row === undefined ? NO_ROWS : toMembers(row)), evaluate: () => evaluate(text) };
    });
  });
  return { statements, close: () => api.close() };
}

function memberReader(checker: Checker) {
  const toMember = (types: readonly Type[]): Member => {
    const parts = types.flatMap((type) => (type.isUnionType() ? type.getTypes() : [type]));
    const isAnything = parts.some(({ flags }) => flags & TypeFlags.AnyOrUnknown);
    const present = parts.filter(({ flags }) => !(flags & TypeFlags.Nullable));
    return {
      text: types.map((type) => checker.typeToString(type)).join(' | '),
      isNullable: isAnything || parts.some(({ flags }) => flags & TypeFlags.Null),
      declares: (value) => isAnything || present.every((type) => isTypeOf(type, value)),
    };
  };
  const isTypeOf = (type: Type, value: unknown): boolean => {
    if (Buffer.isBuffer(value)) return type.getSymbol()?.name === 'Buffer';
    if (Array.isArray(value)) {
      const [element] =
        type.isTypeReference() && checker.isArrayType(type) ? checker.getTypeArguments(type) : [];
      return element !== undefined && toMember([element]).declares(value[0]);
    }
    if (typeof value === 'string') return checker.isTypeAssignableTo(type, checker.getStringType());
    if (typeof value === 'number') return checker.isTypeAssignableTo(type, checker.getNumberType());
    return typeof value === 'boolean' && checker.isTypeAssignableTo(type, checker.getBooleanType());
  };
  return (row: Type) => {
    if (row.flags & TypeFlags.Never) return { members: undefined, others: undefined };
    const types = new Map<string, Type[]>();
    for (const part of row.isUnionType() ? row.getTypes() : [row])
      for (const property of checker.getPropertiesOfType(part)) {
        const type = checker.getTypeOfSymbol(property);
        if (type !== undefined) types.set(property.name, [...(types.get(property.name) ?? []), type]);
      }
    const [index] = checker.getIndexInfosOfType(row);
    const members = new Map(Array.from(types, ([name, declared]) => [name, toMember(declared)]));
    return { members, others: index && toMember([index.valueType]) };
  };
}

/**
 * The parts of `allRows<Row>(db)`…`` (or another tag of rows.ts), `piece.execute(db)`,
 * `prepareStatement<Row>(name, text)` or `session.query<Row>(text)`.
 */
function toParts(
  node: Node,
  checker: Checker,
): { row?: Type | undefined; text?: Node | undefined } | undefined {
  if (isTaggedTemplateExpression(node) && isCallExpression(node.tag)) {
    const [row] = node.tag.typeArguments ?? [];
    if (row !== undefined) return { row: checker.getTypeFromTypeNode(row), text: node };
    return WITHOUT_ROWS.has(node.tag.expression.getText()) ? { text: node } : undefined;
  }
  if (!isCallExpression(node)) return undefined;
  const { expression, typeArguments = [], arguments: given } = node;
  const isMethod = isPropertyAccessExpression(expression);
  const name = (isMethod ? expression.name : expression).getText();
  if (isMethod && name === 'execute') {
    const type = checker.getTypeAtLocation(expression.expression);
    if (type?.getSymbol()?.name !== 'Sql' || !type.isTypeReference()) return undefined;
    const [row] = checker.getTypeArguments(type);
    return row === undefined || row.flags & TypeFlags.Unknown
      ? undefined
      : { row, text: expression.expression };
  }
  const place = isMethod && name === 'query' ? 0 : name === 'prepareStatement' ? 1 : undefined;
  if (place === undefined || typeArguments[0] === undefined) return undefined;
  return { row: checker.getTypeFromTypeNode(typeArguments[0]), text: given[place] };
}

function evaluator(checker: Checker): (node: Node) => Promise<unknown> {
  const scopes = new Map<string, Promise<{ scope: Scope }>>();

  async function run(node: Node, code: string, values: readonly unknown[]): Promise<unknown> {
    const { fileName } = node.getSourceFile();
    const loading: Promise<{ scope: Scope }> =
      scopes.get(fileName) ?? import(pathToFileURL(fileName).href + SCOPE);
    scopes.set(fileName, loading);
    const made = (await loading).scope(stripTypeScriptTypes(code));
    if (typeof made !== 'function') throw new Error(`no function: ${code}`);
    return made(...values);
  }

  async function evaluate(node: Node): Promise<unknown> {
    const values = new Map<string, unknown>();
    const isTagged = isTaggedTemplateExpression(node) && isCallExpression(node.tag);
    if (isTagged) values.set('sql', sql);
    for (const each of nodesIn(isTagged ? node.template : node)) {
      if (!isIdentifier(each) || values.has(each.text)) continue;
      const declaration = localDeclaration(each);
      if (declaration === undefined || (declaration.pos >= node.pos && declaration.end <= node.end)) continue;
      values.set(each.text, await resolve(declaration, isInText(each)));
    }
    const text = isTagged ? `sql${node.template.getText()}` : node.getText();
    return await run(node, `(${[...values.keys()].join(', ')}) => (${text})`, [...values.values()]);
  }

  /** The declaration of a name that is local to a function. */
  function localDeclaration(name: Identifier): Named | undefined {
    const symbol = isShorthandPropertyAssignment(name.parent)
      ? checker.getShorthandAssignmentValueSymbol(name.parent)
      : checker.getSymbolAtLocation(name);
    const declaration = symbol?.valueDeclaration?.resolve();
    const isLocal =
      declaration !== undefined &&
      isNamed(declaration) &&
      ancestors(declaration).some(isFunctionLikeDeclaration);
    return isLocal ? declaration : undefined;
  }

  /** `isText`: the value becomes part of the SQL, so a sample does not suffice. */
  async function resolve(declaration: Named, isText: boolean): Promise<unknown> {
    if (isFunctionDeclaration(declaration)) return await evaluate(declaration);
    const owner = [declaration, ...ancestors(declaration)].find(isOwner);
    const { name } = declaration;
    if (owner === undefined || name === undefined) throw new Error(`no name: ${declaration.getText()}`);
    const source = toSource(owner);
    const isKnown = isVariableDeclaration(owner) && source !== undefined;
    const type = checker.getTypeAtLocation(name);
    if (type !== undefined && !isKnown && !isText && !mentionsSql(type)) return sample(type);
    if (source === undefined) throw new Error(`no value for ${name.getText()}`);
    const value = await evaluate(source);
    if (owner === declaration) return value;
    return await run(owner, `(${owner.name.getText()}) => ${name.getText()}`, [value]);
  }

  /** The expression that gives the name or pattern its value. */
  function toSource(owner: ParameterDeclaration | VariableDeclaration): Node | undefined {
    if (isVariableDeclaration(owner)) {
      const isAwaited = /\bawait\b/.test(owner.initializer?.getText() ?? '');
      return isAwaited ? undefined : owner.initializer;
    }
    const callee = owner.parent;
    if (!isFunctionLikeDeclaration(callee)) return undefined;
    const named = isVariableDeclaration(callee.parent) ? callee.parent : callee;
    const name = 'name' in named ? named.name : undefined;
    if (name === undefined) return undefined;
    const place = callee.parameters.indexOf(owner);
    return (
      checker
        .getReferencedSymbolsForNode(name, name.getStart())
        .flatMap(({ references }) => references.map((reference) => reference.resolve()?.parent))
        // As a member of the namespace `sql`.
        .map((parent) =>
          parent !== undefined && isPropertyAccessExpression(parent) ? parent.parent : parent,
        )
        .flatMap((call) =>
          call !== undefined && isCallExpression(call) ? (call.arguments[place] ?? []) : [],
        )[0]
    );
  }

  function mentionsSql(type: Type, depth = 3): boolean {
    if (depth === 0 || type.flags & (TypeFlags.Intrinsic | TypeFlags.Literal)) return false;
    if (type.getSymbol()?.name === 'Sql') return true;
    if (type.isUnionType()) return type.getTypes().some((each) => mentionsSql(each, depth));
    if (checker.isArrayType(type)) return toArguments(type).some((each) => mentionsSql(each, depth));
    return checker
      .getTypeOfSymbol(checker.getPropertiesOfType(type))
      .some((each) => each !== undefined && mentionsSql(each, depth - 1));
  }

  function sample(type: Type): unknown {
    if (type.isUnionType())
      return type.getTypes().flatMap((each) => (each.flags & TypeFlags.Nullable ? [] : [sample(each)]))[0];
    if (type.isLiteralType()) return type.value;
    if (type.flags & TypeFlags.StringLike) return '1';
    if (type.flags & TypeFlags.NumberLike) return 1;
    if (type.flags & TypeFlags.BooleanLike) return true;
    if (checker.isArrayType(type) || checker.isTupleType(type)) return toArguments(type).map(sample);
    if (/^(?:Readonly)?Map$/.test(type.getSymbol()?.name ?? '')) {
      const [key, value] = toArguments(type).map(sample);
      return new Map([[key, value]]);
    }
    const [signature] = checker.getSignaturesOfType(type, SignatureKind.Call);
    if (signature !== undefined) {
      const result = checker.getReturnTypeOfSignature(signature);
      return () => result && sample(result);
    }
    const value = {};
    for (const property of checker.getPropertiesOfType(type)) {
      const get = () => {
        const of = checker.getTypeOfSymbol(property);
        return of && sample(of);
      };
      Object.defineProperty(value, property.name, { enumerable: true, get });
    }
    return value;
  }

  const toArguments = (type: Type) => (type.isTypeReference() ? checker.getTypeArguments(type) : []);

  return evaluate;
}

type Named = BindingElement | FunctionDeclaration | ParameterDeclaration | VariableDeclaration;

function isOwner(node: Node): node is ParameterDeclaration | VariableDeclaration {
  return isParameterDeclaration(node) || isVariableDeclaration(node);
}

function isNamed(node: Node): node is Named {
  return isOwner(node) || isBindingElement(node) || isFunctionDeclaration(node);
}

/** True in an argument of `sql.identifier` or `sql.raw`. */
function isInText(name: Node): boolean {
  return ancestors(name).some(
    (each) => isCallExpression(each) && /^sql\.(?:identifier|raw)$/.test(each.expression.getText()),
  );
}

function ancestors(node: Node): Node[] {
  return node.parent === undefined ? [] : [node.parent, ...ancestors(node.parent)];
}

/** Skips types. */
function* nodesIn(node: Node): Generator<Node> {
  if (isTypeNode(node)) return;
  yield node;
  const children: Node[] = [];
  node.forEachChild((child) => {
    children.push(child);
  });
  for (const child of children) yield* nodesIn(child);
}
