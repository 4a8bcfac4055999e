/**
 * Building a project, and serving it while it is being written.
 *
 * @module
 */
export { Builder, type BuildOptions } from "./build/builder.ts";
export type { BuilderOptions } from "./build/options.ts";
