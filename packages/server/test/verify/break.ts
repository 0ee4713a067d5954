/**
 * Violates one invariant in a transaction that is rolled back, without triggers and foreign keys. Check
 * constraints and unique indexes stay active: a case drops them first if necessary.
 */
import type { World } from './world.ts';

export type Break = {
  /** Statements that make exactly one thing wrong. */
  readonly statements: (world: World) => readonly string[];
  /** Other invariants that these statements inevitably violate too. */
  readonly also?: readonly string[];
};

export type Breaks = Readonly<Record<string, Break | readonly Break[]>>;
