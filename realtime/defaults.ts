/** Fills in defaults; what is present but undefined takes its default too. */
export function withDefaults<D extends object, G extends object>(
  defaults: D,
  given: G,
): D & Required<G> {
  const present = Object.entries(given).filter(([, value]) => value !== undefined);
  return { ...defaults, ...Object.fromEntries(present) } as D & Required<G>;
}
