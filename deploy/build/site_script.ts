import { fileURLToPath } from "node:url";
import { build, type BuildOptions, stop } from "esbuild";
import { siteScriptFile } from "@/http/built_files.ts";
import { keyInScript } from "@/shared/site.ts";

const path = (relative: string) => fileURLToPath(new URL(relative, import.meta.url));

/** Where the client package has what its pages report. */
const reporters = path("../../packages/client/src");

/**
 * The script of site tags: it begins once a page is shown that the browser has loaded ahead, and runs once
 * however often the page has the tag.
 */
const entry = `import { visit } from ${JSON.stringify(path("../../components/site/site_visit.ts"))};
import { reportActivity } from "${reporters}/report_activity.js";
import { reportPage } from "${reporters}/report_page.js";
const { src } = document.currentScript;
const begin = () => visit({
  script: src,
  key: KEY,
  random: Math.random,
  report(channel) {
    reportPage(channel);
    reportActivity(channel);
  },
});
if (!globalThis.rollcallSite) {
  globalThis.rollcallSite = true;
  if (document.prerendering) document.addEventListener("prerenderingchange", begin, { once: true });
  else begin();
}`;

/** Bundles and minifies one script for browsers that imports nothing. @returns its text. */
export async function bundledScript(options: BuildOptions): Promise<string> {
  try {
    const { outputFiles } = await build({
      bundle: true,
      minify: true,
      format: "esm",
      target: "es2022",
      ...options,
      write: false,
    });
    return outputFiles[0].text;
  } finally {
    // Its process would keep this one from ending.
    await stop();
  }
}

/** Makes the text of the script of site tags, in which the server puts the key of its pages. */
export function siteScript(): Promise<string> {
  return bundledScript({
    stdin: { contents: entry, resolveDir: path(".") },
    define: { KEY: JSON.stringify(keyInScript) },
    format: "iife",
    target: "es2020",
  });
}

/** Builds the script of site tags for the server. */
export async function buildSiteScript(): Promise<void> {
  const file = path(`../../${siteScriptFile}`);
  await Deno.mkdir(path("../../_fresh"), { recursive: true });
  await Deno.writeTextFile(`${file}.${Deno.pid}`, await siteScript());
  await Deno.rename(`${file}.${Deno.pid}`, file);
}
