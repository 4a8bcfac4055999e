import { join } from "node:path";
import { fileURLToPath } from "node:url";

const project = fileURLToPath(new URL("../../", import.meta.url));

/** A copy of `browser_app/` in a temporary folder, with the packages of this project. */
export async function copyOfProject(): Promise<string> {
  const root = await Deno.makeTempDir();
  await copyFolder(join(project, "tests/jsr/browser_app"), root);
  await Deno.copyFile(join(project, "deno.json"), join(root, "deno.json"));
  await Deno.symlink(join(project, "node_modules"), join(root, "node_modules"));
  return root;
}

async function copyFolder(from: string, to: string): Promise<void> {
  await Deno.mkdir(to, { recursive: true });
  for await (const { name, isDirectory } of Deno.readDir(from)) {
    const [source, target] = [join(from, name), join(to, name)];
    await (isDirectory ? copyFolder(source, target) : Deno.copyFile(source, target));
  }
}
