import { dirname, join } from "node:path";
import { parseArgs } from "node:util";
import type { VNode } from "preact";
import { renderToString } from "preact-render-to-string";
import { DocsHomePage, DocsTextPage } from "@/components/docs/DocsPages.tsx";
import { DocsSite } from "@/components/docs/DocsSite.tsx";
import type { DocsFrameView } from "@/components/docs/DocsFrame.tsx";
import { buildStyleSheets } from "@/deploy/build/style_sheets.ts";
import { escapeHtml } from "@/shared/text.ts";
import { docsScript, renderDocs } from "./build.ts";

/**
 * The documents as a site of files, by their names: the same pages as at `/docs` of a server, with the search in
 * the browser.
 *
 * @param base the address that it will have.
 */
export async function siteFiles(base: URL): Promise<Map<string, string | Uint8Array>> {
  const { docs, files } = await renderDocs(".html");
  const addressOf = (name: string) => new URL(name, base.href.replace(/\/?$/, "/")).href;
  const view: DocsFrameView = {
    pages: docs.pages,
    query: "",
    addressOf: (page, section) => `${page}.html${section ? `#${section}` : ""}`,
    home: "index.html",
    index: "search.json",
    script: "script.js",
  };
  const documentOf = (name: string, title: string, description: string, content: VNode) =>
    files.set(
      name,
      "<!DOCTYPE html>" + renderToString(
        <DocsSite title={title} description={description} address={addressOf(name)}>
          {content}
        </DocsSite>,
      ),
    );
  const [{ description }] = docs.pages;
  documentOf("index.html", "Documentation", description, <DocsHomePage view={view} />);
  for (const page of docs.pages) {
    const content = <DocsTextPage view={view} page={page} />;
    documentOf(`${page.name}.html`, page.title, page.description, content);
  }
  const addresses = [...files.keys()].filter((name) => name.endsWith(".html")).map(addressOf);
  files.set("sitemap.xml", sitemap(addresses));
  return files;
}

/** https://www.sitemaps.org/protocol.html */
function sitemap(addresses: readonly string[]): string {
  const entries = addresses.map((address) => `<url><loc>${escapeHtml(address)}</loc></url>\n`);
  return `<?xml version="1.0" encoding="UTF-8"?>
<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">
${entries.join("")}</urlset>
`;
}

/** Writes the site of the documents of the working folder, with its script, style sheet and icon. */
export async function writeSite(base: URL, folder: string): Promise<number> {
  const files = await siteFiles(base);
  await buildStyleSheets();
  files.set("script.js", await docsScript());
  for (const name of ["pages.css", "icon.svg", "inter-license.txt"]) {
    files.set(name, await Deno.readFile(`static/${name}`));
  }
  for (const [name, content] of files) {
    const file = join(folder, name);
    await Deno.mkdir(dirname(file), { recursive: true });
    if (typeof content === "string") await Deno.writeTextFile(file, content);
    else await Deno.writeFile(file, content);
  }
  return files.size;
}

/** `deno task docs:site ADDRESS [--output FOLDER]` */
async function main(): Promise<number> {
  const { values: { output }, positionals } = parseArgs({
    args: Deno.args,
    allowPositionals: true,
    options: { output: { type: "string", default: "dist/docs" } },
  });
  const base = URL.parse(positionals[0] ?? "");
  if (positionals.length !== 1 || !/^https?:$/.test(base?.protocol ?? "")) {
    console.error("Usage: deno task docs:site https://docs.example.com [--output FOLDER]");
    return 2;
  }
  console.log(`${output}: ${await writeSite(base!, output)} files`);
  return 0;
}

if (import.meta.main) Deno.exit(await main());
