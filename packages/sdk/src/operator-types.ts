import type { OperatorOperations } from './generated/operator-contract.ts';
import type { WritePreview } from './generated/reseller-contract.ts';
import type { AnswerOf, ElementOf, InputOf, ListOf } from './operations.ts';

/** The name of an operation, as in the OpenAPI document. */
export type OperatorOperation = keyof OperatorOperations;

/** `params` of the operation's path, `query`, and `body`. */
export type OperatorInput<Name extends OperatorOperation> = InputOf<OperatorOperations, Name>;

/** The whole page with its `meta` for a list, otherwise the `data`. */
export type OperatorAnswer<Name extends OperatorOperation> = AnswerOf<OperatorOperations, Name>;

/** Writes with a preview: those that move money or stock. */
export type OperatorPreviewed = {
  [Name in OperatorOperation]: OperatorOperations[Name] extends { body: { dryRun?: boolean | undefined } }
    ? Name
    : never;
}[OperatorOperation];

/** The effect of a write, and the tag of the state that it depends on: `ifMatch` binds the write to it. */
export interface Previewed {
  readonly preview: WritePreview;
  readonly etag: string;
}

/** Lists that `all` can read. */
export type OperatorList = ListOf<OperatorOperations>;

/** An element of a list. */
export type OperatorElement<Name extends OperatorList> = ElementOf<OperatorOperations, Name>;
