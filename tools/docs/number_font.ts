import { Buffer } from "node:buffer";
import subsetFont from "subset-font";

const source = import.meta.resolve(
  "@fontsource-variable/inter/files/inter-latin-opsz-normal.woff2",
);

/** What a number is written with in all languages: digits, separators, a sign, and a dash where there is none. */
const characters = "0123456789,.'’ \u00a0\u202f-−–";

/** Bold, and drawn for large sizes. */
const variationAxes = { opsz: 32, wght: 700 };

/**
 * `shared/number_font.ts`: the digits of Inter, which is some hundred times as large. Committed, so that neither
 * an installation nor a build needs what makes it.
 */
export async function numberFont(): Promise<string> {
  const font = await subsetFont(Buffer.from(await Deno.readFile(new URL(source))), characters, {
    targetFormat: "woff2",
    variationAxes,
    keepFeatures: ["tnum"],
    noHinting: true,
    dropTables: ["STAT"],
  });
  return `// Written by \`deno task docs\` from the package @fontsource-variable/inter.

/**
 * The font of large numbers, in the form of an address: it comes with the style sheet without a request, and looks
 * the same on every machine. It is a part of Inter, whose license is in \`static/inter-license.txt\`.
 */
export const numberFont =
  "data:font/woff2;base64,${font.toString("base64")}";
`;
}
