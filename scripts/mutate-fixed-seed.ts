/**
 * Loaded before the tests of a mutation run: every property uses the same examples each time, so that a
 * surviving mutant survives again, and shrinks nothing.
 */
import fc from 'fast-check';

fc.configureGlobal({ seed: 20_261_121, endOnFailure: true });
