/** Errors with this member were logged where they arose, so lines about their consequences are left out. */
export const REPORTED = Symbol('reported');
