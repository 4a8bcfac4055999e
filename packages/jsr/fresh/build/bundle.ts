import type { Mode } from "../server/config.ts";
import type { Project } from "./options.ts";

/** The scripts for the browser. */
export interface Bundle {
  /** Contents by file name. */
  scripts: Map<string, Uint8Array<ArrayBuffer>>;
  /** Absolute paths of the modules that they were made of, packages left aside. */
  sources: Set<string>;
}

/** What the worker is asked. */
export interface BundleRequest {
  project: Project;
  /** The islands' files by name. */
  islands: ReadonlyMap<string, string>;
  mode: Mode;
}

/** What the worker answers. */
export type BundleResult = { bundle: Bundle } | { message: string };

/**
 * Bundles the islands, with what they share in chunks of its own. Rejects with esbuild's messages when
 * the code cannot be bundled. Nothing that it started is left running.
 */
export async function bundleIslands(request: BundleRequest): Promise<Bundle> {
  const worker = new Worker(new URL("./bundle_worker.ts", import.meta.url), { type: "module" });
  try {
    const result = await new Promise<BundleResult>((resolve, reject) => {
      worker.onmessage = ({ data }) => resolve(data);
      worker.onerror = ({ message }) => reject(new Error(message));
      worker.postMessage(request);
    });
    if ("message" in result) throw new Error(result.message);
    return result.bundle;
  } finally {
    worker.terminate();
  }
}
