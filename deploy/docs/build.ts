import { basename, dirname } from "node:path";
import { fileURLToPath } from "node:url";
import { type Docs, docsGroups } from "@/shared/docs.ts";
import { bundledScript } from "@/deploy/build/site_script.ts";
import { docsFile } from "@/http/built_files.ts";
import { renderPage, type Target } from "./markdown.ts";
import { docsSources } from "./order.ts";

/** The documents, and the files that are served beside their pages. */
export interface RenderedDocs {
  docs: Docs;
  /** What is served as it is, by its name: the pages as Markdown, and what they link to. */
  files: Map<string, string | Uint8Array>;
}

/**
 * Renders the documents of the repository in the working folder.
 *
 * @param ending what follows the name of a page in its address.
 * @throws {Error} that names the document, for a link that leads nowhere.
 */
export async function renderDocs(ending = ""): Promise<RenderedDocs> {
  const sources = docsSources();
  const names = new Map(sources.map(({ path, name }) => [path, name]));
  const linked = new Map<string, string>();
  const rendered = await Promise.all(sources.map(async (source) => {
    const addressOf = ({ path, anchor }: Target, kind: "page" | "markdown") => {
      const name = names.get(path);
      if (name !== undefined) return name + (kind === "page" ? ending : ".md") + anchor;
      return linkedFile(linked, path);
    };
    return renderPage(source, await Deno.readTextFile(source.path), addressOf);
  }));
  const docs: Docs = {
    pages: rendered.map(({ page }) => page),
    sections: rendered.flatMap(({ sections }) => sections),
  };
  const files = new Map<string, string | Uint8Array>();
  for (const { page, markdown } of rendered) files.set(`${page.name}.md`, markdown);
  for (const [name, path] of linked) files.set(name, await Deno.readFile(path));
  files.set("llms.txt", llmsText(docs));
  files.set("search.json", JSON.stringify(docs.sections));
  return { docs, files };
}

/** A file of the repository that a page shows or links to. A name in the repository may begin with a dot. */
function linkedFile(linked: Map<string, string>, path: string): string {
  const name = `files/${basename(path).replace(/^\./, "")}`;
  const other = linked.get(name);
  if (other !== undefined && other !== path) throw new Error(`${path}: ${other} has its name, too`);
  linked.set(name, path);
  return name;
}

/** What programs read to find pages: https://llmstxt.org. Links count from where it is. */
function llmsText({ pages }: Docs): string {
  const groups = docsGroups(pages).map(({ title, pages }) =>
    `## ${title}\n\n${
      pages.map(({ name, title, description }) => `- [${title}](${name}.md): ${description}\n`)
        .join("")
    }`
  );
  return `# Rollcall\n\n> ${pages[0].description}\n\n${groups.join("\n")}`;
}

/** Makes the script of the documents' pages, one file that imports nothing. */
export function docsScript(): Promise<string> {
  return bundledScript({
    entryPoints: [fileURLToPath(new URL("../../components/docs/docs_script.ts", import.meta.url))],
    alias: { "@": fileURLToPath(new URL("../..", import.meta.url)).replace(/\/$/, "") },
  });
}

const served = fileURLToPath(new URL("../../static/docs", import.meta.url));
const forServer = fileURLToPath(new URL(`../../${docsFile}`, import.meta.url));

/** Builds the documents of the working folder for the server, which serves the files beside them by itself. */
export async function buildDocs(): Promise<void> {
  const { docs, files } = await renderDocs();
  files.set("script.js", await docsScript());
  for (const folder of [`${served}/files`, dirname(forServer)]) {
    await Deno.mkdir(folder, { recursive: true });
  }
  for (const [name, content] of files) await replace(`${served}/${name}`, content);
  await removeOthers(served, files);
  await replace(forServer, JSON.stringify(docs));
}

/** Leaves a file alone that is up to date, so that no watcher takes it for a change. */
async function replace(file: string, content: string | Uint8Array): Promise<void> {
  const bytes = typeof content === "string" ? new TextEncoder().encode(content) : content;
  const before = await Deno.readFile(file).catch(() => null);
  if (before && bytes.length === before.length && bytes.every((byte, at) => byte === before[at])) {
    return;
  }
  // Not among what is served.
  const partial = `${forServer}.${Deno.pid}`;
  await Deno.writeFile(partial, bytes);
  await Deno.rename(partial, file);
}

async function removeOthers(folder: string, files: ReadonlyMap<string, unknown>, below = "") {
  for await (const { name, isDirectory } of Deno.readDir(folder)) {
    const path = `${folder}/${name}`;
    if (isDirectory) await removeOthers(path, files, `${below}${name}/`);
    else if (!files.has(below + name)) await Deno.remove(path);
  }
}
