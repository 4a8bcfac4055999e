import { dirname, join } from "node:path";
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

/** Writes the script of each language for pages, with the texts that islands and what they import have. */
export async function buildLanguageScripts(): Promise<void> {
  const islands = [...Deno.readDirSync(join(root, "islands"))].map(({ name }) => `islands/${name}`);
  const needed = new Set(importedBy(islands).flatMap(textsIn));
  await Deno.mkdir(join(root, "static/languages"), { recursive: true });
  const catalogues = [...Deno.readDirSync(join(root, "server/language"))]
    .filter(({ name }) => name.endsWith(".json"));
  for (const { name } of catalogues) {
    const catalogue: Catalogue = JSON.parse(
      await Deno.readTextFile(join(root, "server/language", name)),
    );
    const texts = Object.entries(catalogue).filter(([key]) => needed.has(key));
    const tag = name.replace(/\.json$/, "");
    const script = await languageScript(tag, Object.fromEntries(texts));
    await Deno.writeTextFile(join(root, `static/languages/${tag}.js`), script);
  }
}

/** The sources of files and of all that they import of this project. */
function importedBy(files: readonly string[]): string[] {
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
  return [...sources.values()];
}
