/**
 * Fills in defaults. Unlike a spread, a value that is given as undefined takes its default too.
 *
 * @example
 * withDefaults({ port: 80, host: "a" }, { port: undefined }); // { port: 80, host: "a" }
 */
export function withDefaults<D extends object, G extends object>(
  defaults: D,
  given: G,
): D & Required<G> {
  const present = Object.entries(given).filter(([, value]) => value !== undefined);
  return { ...defaults, ...Object.fromEntries(present) } as D & Required<G>;
}
