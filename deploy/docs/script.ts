import { fileURLToPath } from "node:url";
import { build, stop } from "esbuild";

const path = (relative: string) => fileURLToPath(new URL(relative, import.meta.url));

/** Makes the script of the documents' pages, one file that imports nothing. */
export async function docsScript(): Promise<string> {
  try {
    const { outputFiles } = await build({
      entryPoints: [path("../../components/docs/docs_script.ts")],
      alias: { "@": path("../..").replace(/\/$/, "") },
      bundle: true,
      minify: true,
      write: false,
      format: "esm",
      target: "es2022",
    });
    return outputFiles[0].text;
  } finally {
    // Its process would keep this one from ending.
    await stop();
  }
}
