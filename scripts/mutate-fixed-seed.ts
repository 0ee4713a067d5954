/**
 * Loaded before the tests of a mutation run: every property is tried with the same examples each time, so that a mutant
 * that survives does so again, and a failing one is not shrunk, because only that it fails matters.
 */
import fc from 'fast-check';

fc.configureGlobal({ seed: 20_261_121, endOnFailure: true });
