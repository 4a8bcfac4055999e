/** Lets promises that are settled already have their effect. */
export function settled(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}
