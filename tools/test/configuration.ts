/**
 * The flag with which Deno finds the packages that only tests and tools import. They are apart, so that
 * who starts Rollcall installs a quarter of the packages.
 */
export const testConfiguration = "--config=deno.dev.json";
