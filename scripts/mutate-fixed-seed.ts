/**
 * Loaded before the tests of a mutation run. Every property uses the same examples each time, so that a
 * mutant that survives once survives again. Failing examples are not shrunk, because only the failure
 * matters.
 */
import fc from 'fast-check';

fc.configureGlobal({ seed: 20_261_121, endOnFailure: true });
