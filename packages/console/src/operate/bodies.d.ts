declare module 'virtual:bodies' {
  /** The schemas of bodies, by operation. */
  export const OPERATOR_BODIES: Readonly<
    Record<string, import('../forms/body-form.ts').BodySchema | undefined>
  >;
}
