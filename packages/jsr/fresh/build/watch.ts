import { resolve } from "node:path";
import type { Project } from "./options.ts";

/** Editors write a file in several steps; changes within this time, in milliseconds, are one. */
const settleMs = 60;

/**
 * Calls back with the absolute paths of the files that changed. Of the project's folders, those that
 * hold no code of its own (packages, build output, hidden ones) are not watched. One call runs at a
 * time; an error of it is logged, and watching goes on.
 *
 * @returns what stops it, and waits for a call that is running
 */
export function watchProject(
  project: Project,
  onChange: (files: string[]) => Promise<void>,
): () => Promise<void> {
  const watcher = Deno.watchFs(watchedFolders(project));
  let changed = new Set<string>();
  let timer: ReturnType<typeof setTimeout> | undefined;
  let running = Promise.resolve();

  const report = () => {
    const files = [...changed];
    changed = new Set();
    running = running.then(() => onChange(files)).catch((error) => console.error(error));
  };
  const collect = async () => {
    for await (const event of watcher) {
      if (event.kind === "access") continue;
      for (const path of event.paths) changed.add(path);
      clearTimeout(timer);
      timer = setTimeout(report, settleMs);
    }
  };
  const collecting = collect();
  return async () => {
    watcher.close();
    await collecting;
    clearTimeout(timer);
    await running;
  };
}

function watchedFolders({ root, outDir }: Project): string[] {
  return [...Deno.readDirSync(root)]
    .filter(({ name, isDirectory }) => isDirectory && !/^(\.|node_modules$|data$)/.test(name))
    .map(({ name }) => resolve(root, name))
    .filter((folder) => folder !== outDir);
}
