/**
 * React, as Preact implements it. Mantine also imports Activity, which hides what stays mounted; here, nothing that is
 * hidden stays mounted.
 */
// biome-ignore lint/performance/noBarrelFile: it stands for the package react
export * from 'preact/compat';
export { default } from 'preact/compat';

export function Activity({ mode, children }) {
  return mode === 'hidden' ? null : children;
}
