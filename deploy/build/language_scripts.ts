import { basename, dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import type { Catalogue } from "@/shared/translation.ts";
import { bundledScript } from "./site_script.ts";
import { textsIn } from "./source_texts.ts";

const root = fileURLToPath(new URL("../../", import.meta.url));

/**
 * The script that gives a page's scripts their texts in a language, before they run: pages in English have none.
 *
 * @param texts those of the catalogue that pages can need.
 */
export function languageScript(tag: string, texts: Catalogue): Promise<string> {
  return bundledScript({
    stdin: {
      contents: `import { translation } from "./shared/translation.ts";
globalThis.language = translation(${JSON.stringify(tag)}, ${JSON.stringify(texts)});`,
      resolveDir: root,
    },
    charset: "utf8",
  });
}

/**
 * Writes two scripts of each language: one with the texts of all islands, for pages below `/admin`, and one for all
 * other pages with the texts of theirs alone, so that these load no more as more of `/admin` is translated.
 */
export async function buildLanguageScripts(): Promise<void> {
  const { all, ofPublicPages } = textsOfIslands();
  await Deno.mkdir(join(root, "static/languages"), { recursive: true });
  for (const name of filesBelow("server/language").filter((file) => file.endsWith(".json"))) {
    const catalogue: Catalogue = JSON.parse(await Deno.readTextFile(join(root, name)));
    const tag = basename(name, ".json");
    await writeScript(`${tag}.js`, tag, catalogue, ofPublicPages);
    await writeScript(`${tag}-admin.js`, tag, catalogue, all);
  }
}

/** The texts that pages can need in the browser: all, and those of pages that are not below `/admin`. */
export function textsOfIslands(): { all: Set<string>; ofPublicPages: Set<string> } {
  const islands = filesBelow("islands");
  const publicRoutes = filesBelow("routes").filter((file) => !file.startsWith("routes/admin/"));
  const reached = importedBy(publicRoutes);
  const ofPublicPages = textsOf(islands.filter((island) => reached.has(island)));
  return { all: textsOf(islands), ofPublicPages };
}

async function writeScript(
  file: string,
  tag: string,
  catalogue: Catalogue,
  needed: ReadonlySet<string>,
): Promise<void> {
  const texts = Object.entries(catalogue).filter(([key]) => needed.has(key));
  const script = await languageScript(tag, Object.fromEntries(texts));
  await Deno.writeTextFile(join(root, "static/languages", file), script);
}

/** The files of a folder and of those in it. */
function filesBelow(folder: string): string[] {
  return [...Deno.readDirSync(join(root, folder))].flatMap(({ name, isDirectory }) =>
    isDirectory ? filesBelow(`${folder}/${name}`) : [`${folder}/${name}`]
  );
}

/** The texts that files and what they import have. */
function textsOf(files: readonly string[]): Set<string> {
  return new Set([...importedBy(files).values()].flatMap(textsIn));
}

/** The sources of files and of all that they import of this project, by their paths. */
function importedBy(files: readonly string[]): Map<string, string> {
  const sources = new Map<string, string>();
  const read = (file: string) => {
    if (sources.has(file) || !/\.tsx?$/.test(file)) return;
    const source = Deno.readTextFileSync(join(root, file));
    sources.set(file, source);
    for (
      const [, path] of source.matchAll(/(?:\bfrom|\bimport|\bimport\() ?"((?:@\/|\.)[^"]+)"/g)
    ) {
      read(path.startsWith("@/") ? path.slice(2) : join(dirname(file), path));
    }
  };
  files.forEach(read);
  return sources;
}
