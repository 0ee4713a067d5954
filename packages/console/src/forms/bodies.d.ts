/** The schemas of the bodies of the app's audience, by operation. */
declare module 'virtual:bodies' {
  export const BODIES: Readonly<Record<string, import('./body-form.ts').BodySchema | undefined>>;
}
