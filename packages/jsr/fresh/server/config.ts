/** Whether pages are built for people or for the one who writes them. */
export type Mode = "development" | "production";

/** Settings of an app. */
export interface FreshConfig {
  /**
   * The path below which the app answers, such as "/about-us". Routes, middleware and `static/` stay
   * as they are; `ctx.url` and `ctx.route` begin with it. Addresses that a page or redirect names must
   * begin with it too: only the scripts of islands get it by themselves.
   */
  basePath?: string;
  /** Set by the builder when it is not given. */
  mode?: Mode;
}

/** The settings that an app runs with. */
export interface ResolvedFreshConfig {
  basePath: string;
  mode: Mode;
  /** The project's folder, or "" before a build is applied. */
  root: string;
}

/** Fills in what is not given. */
export function resolveConfig(config: FreshConfig): ResolvedFreshConfig {
  return { basePath: config.basePath ?? "", mode: config.mode ?? "production", root: "" };
}
