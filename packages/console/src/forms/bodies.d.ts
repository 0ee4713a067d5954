/** The schemas of bodies, by operation. */
declare module 'virtual:bodies/operator' {
  export const BODIES: Readonly<Record<string, import('./body-form.ts').BodySchema | undefined>>;
}

declare module 'virtual:bodies/reseller' {
  export const BODIES: Readonly<Record<string, import('./body-form.ts').BodySchema | undefined>>;
}
