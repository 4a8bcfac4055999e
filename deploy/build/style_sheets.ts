import { basename } from "node:path";
import { fileURLToPath } from "node:url";
import { build, type Plugin, stop } from "esbuild";
import { numberFont } from "@/shared/number_font.ts";

const path = (relative: string) => fileURLToPath(new URL(relative, import.meta.url));

/** What pages load: each file of `static/` is made of the one of this name in `components/styles/`, which imports more. */
export const styleSheets = ["pages.css", "wallboards.css", "numbers.css"];

/** Puts the font of large numbers in the place of its name. */
const withNumberFont: Plugin = {
  name: "number font",
  setup({ onResolve }) {
    onResolve({ filter: /^number-font$/ }, () => ({ path: numberFont, external: true }));
  },
};

/**
 * Makes the style sheets that pages load, one for each kind of page, where pages would otherwise ask for a
 * dozen. Leaves a file alone that is up to date.
 */
export async function buildStyleSheets(): Promise<void> {
  try {
    const { outputFiles } = await build({
      entryPoints: styleSheets.map((name) => path(`../../components/styles/${name}`)),
      outdir: path("../../static"),
      bundle: true,
      minify: true,
      plugins: [withNumberFont],
      write: false,
    });
    for (const { path: file, text } of outputFiles) await replace(file, text);
  } finally {
    // Its process would keep this one from ending.
    await stop();
  }
}

async function replace(file: string, text: string): Promise<void> {
  if (await Deno.readTextFile(file).catch(() => null) === text) return;
  // Not in a folder that is watched during development.
  const partial = path(`./.${basename(file)}.${Deno.pid}`);
  await Deno.writeTextFile(partial, text);
  await Deno.rename(partial, file);
}
