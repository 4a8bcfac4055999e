import type { App } from "../server/app.ts";
import type { Mode } from "../server/config.ts";
import { type Bundle, bundleIslands } from "./bundle.ts";
import { type ListenOptions, serveAndWatch } from "./dev_server.ts";
import { writeBuild } from "./disk_build.ts";
import { memoryBuild } from "./memory_build.ts";
import { type BuilderOptions, type Project, projectOf } from "./options.ts";
import { findProjectFiles, type ProjectFiles } from "./project_files.ts";

/** What kind of build to make. */
export interface BuildOptions {
  /** "production" unless given. */
  mode?: Mode;
  /** "disk", unless given, writes to `outDir`; "memory" keeps it in this process, as tests want it. */
  snapshot?: "disk" | "memory";
}

/**
 * Builds a project: finds its routes, bundles its islands, and lists its static files.
 *
 * @example
 * const builder = new Builder();
 * if (Deno.args.includes("build")) await builder.build();
 * else await builder.listen(() => import("./main.ts"));
 */
export class Builder {
  readonly #project: Project;

  constructor(options: BuilderOptions = {}) {
    this.#project = projectOf(options);
  }

  /**
   * Builds, and returns what applies the build to an app. A build on disk is applied by importing
   * `server.js` from it; the function that is returned for it throws and says so.
   */
  async build(
    { mode = "production", snapshot = "disk" }: BuildOptions = {},
  ): Promise<<State>(app: App<State>) => void> {
    const files = await findProjectFiles(this.#project);
    const bundle = await this.#bundle(files, mode);
    if (snapshot === "disk") {
      await writeBuild(this.#project, files, bundle);
      return () => {
        throw new Error(`Import ${this.#project.outDir}/server.js to use a build on disk`);
      };
    }
    const build = await memoryBuild(this.#project, files, bundle, mode);
    return (app) => app.applyBuild(build);
  }

  /**
   * Serves the app for development until the signal aborts: rebuilds islands and static files when they
   * change, and has browsers reload. For changes of server code run it with `deno run --watch`.
   */
  async listen<State>(
    importApp: () => Promise<{ app: App<State> }>,
    options: ListenOptions = {},
  ): Promise<void> {
    const makeBuild = async () => {
      const files = await findProjectFiles(this.#project);
      const bundle = await this.#bundle(files, "development");
      const build = await memoryBuild(this.#project, files, bundle, "development");
      return {
        build,
        sources: new Set([...bundle.sources, ...files.statics.values()]),
      };
    };
    await serveAndWatch(this.#project, makeBuild, importApp, options);
  }

  #bundle({ islands }: ProjectFiles, mode: Mode): Promise<Bundle> {
    return bundleIslands({ project: this.#project, islands, mode });
  }
}
