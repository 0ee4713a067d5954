/** What the methods of the client of operators take and answer, from the types of the operations. */
import type { OperatorOperations } from './generated/operator-contract.ts';
import type { WritePreview } from './generated/reseller-contract.ts';

/** The name of an operation, as in the OpenAPI document. */
export type OperatorOperation = keyof OperatorOperations;

/** What an operation takes: `params` of its path, `query`, and `body`. */
export type OperatorInput<Name extends OperatorOperation> = Omit<OperatorOperations[Name], 'answer'>;

/** What a call resolves to: of a list the whole page with its `meta`, otherwise the `data`. */
export type OperatorAnswer<Name extends OperatorOperation> =
  OperatorOperations[Name]['answer'] extends infer Answer
    ? Answer extends { meta: unknown }
      ? Answer
      : Answer extends { data: infer Data }
        ? Data
        : Answer
    : never;

/** Writes that can be previewed: those that move money or stock. */
export type OperatorPreviewed = {
  [Name in OperatorOperation]: OperatorOperations[Name] extends { body: { dryRun?: boolean | undefined } }
    ? Name
    : never;
}[OperatorOperation];

/** What a write would do, and the tag of the state in which it would: `ifMatch` binds the write to it. */
export interface Previewed {
  readonly preview: WritePreview;
  readonly etag: string;
}

/** Lists, whose pages `all` reads. */
export type OperatorList = {
  [Name in OperatorOperation]: OperatorOperations[Name]['answer'] extends { data: unknown[]; meta: unknown }
    ? Name
    : never;
}[OperatorOperation];

/** An element of a list. */
export type OperatorElement<Name extends OperatorList> = OperatorOperations[Name]['answer'] extends {
  data: (infer Item)[];
}
  ? Item
  : never;
