/**
 * The flag with which Deno finds the packages that only tests and tools import. They are apart, so that
 * who starts Rollcall installs a quarter of the packages.
 */
export const testConfiguration = "--config=deno.dev.json";

/**
 * Says that the packages are installed already: without the flag, each run takes 0.5 s of CPU to check
 * that, and prints a line when it waits for another.
 */
export const installedFlag = "--node-modules-dir=manual";

/** How tests run a program that may import what tests may. */
export const runFlags = ["run", testConfiguration, installedFlag];
