/** Whether pages are built for people or for the one who writes them. */
export type Mode = "development" | "production";

/** Settings of an app. */
export interface FreshConfig {
  /** Left out: anything but "" throws. */
  basePath?: string;
  /** Set by the builder when it is not given. */
  mode?: Mode;
  /** Left out: true throws. */
  trustProxy?: boolean;
}

/** The settings that an app runs with. */
export interface ResolvedFreshConfig {
  basePath: string;
  mode: Mode;
  /** The project's folder, or "" before a build is applied. */
  root: string;
}

/** Fills in what is not given; throws for what this stand-in leaves out. */
export function resolveConfig(config: FreshConfig): ResolvedFreshConfig {
  if (config.basePath) {
    throw new Error("basePath is left out of this stand-in for Fresh");
  }
  if (config.trustProxy) {
    throw new Error("trustProxy is left out of this stand-in for Fresh");
  }
  return { basePath: "", mode: config.mode ?? "production", root: "" };
}
