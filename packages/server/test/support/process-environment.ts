/** What every process that a test starts has in its environment: the programs' path, and the cache of compiled code. */
export const PROCESS_ENVIRONMENT: Readonly<Record<string, string>> = Object.fromEntries(
  ['PATH', 'NODE_COMPILE_CACHE'].flatMap((name) => {
    const value = process.env[name];
    return value === undefined ? [] : [[name, value]];
  }),
);
