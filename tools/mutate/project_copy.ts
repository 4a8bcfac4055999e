import { dirname, join } from "node:path/posix";
import { type Fault, withFault } from "./story.ts";

/** What the build makes of pusher-js: pages import it, and Git does not track it. */
const builtFile = "components/connection/pusher_js.js";

/** A copy of the project, as it is in the working tree, in a temporary folder. */
export class ProjectCopy {
  private constructor(readonly root: string) {}

  /** Copies the files that Git tracks or would track, and {@link builtFile}; the installed packages are linked. */
  static async make(project: string): Promise<ProjectCopy> {
    const root = await Deno.makeTempDir({ prefix: "rollcall-mutate-" });
    const args = ["ls-files", "-z", "--cached", "--others", "--exclude-standard"];
    const { stdout } = await new Deno.Command("git", { args, cwd: project }).output();
    const files = new TextDecoder().decode(stdout).split("\0").filter(Boolean);
    for (const folder of new Set(files.map(dirname))) {
      await Deno.mkdir(join(root, folder), { recursive: true });
    }
    for (const file of [...files, builtFile]) {
      await copyIfThere(join(project, file), join(root, file));
    }
    await Deno.symlink(join(project, "node_modules"), join(root, "node_modules"));
    return new ProjectCopy(root);
  }

  /** Does some work while a fault is in the copy. */
  async with<Value>(fault: Fault, work: () => Promise<Value>): Promise<Value> {
    const path = join(this.root, fault.file);
    const text = await Deno.readTextFile(path);
    await Deno.writeTextFile(path, withFault(text, fault));
    try {
      return await work();
    } finally {
      await Deno.writeTextFile(path, text);
    }
  }

  /** Removes the copy. */
  removeSync(): void {
    Deno.removeSync(this.root, { recursive: true });
  }
}

/** A file that was deleted, but is still tracked, is left out. */
async function copyIfThere(from: string, to: string): Promise<void> {
  try {
    await Deno.copyFile(from, to);
  } catch (error) {
    if (!(error instanceof Deno.errors.NotFound)) throw error;
  }
}
