import { project, readImports } from "./imports.ts";
import { type Layer, layers } from "./layers.ts";
import { browserLayers, clusterLayers, realtimeLayers } from "./layers_in_folders.ts";
import { drawLayers } from "./picture.ts";

/** What stands between these two lines of CONTRIBUTING is written by `deno task docs`. */
const mark = { begin: "<!-- imports -->", end: "<!-- /imports -->" };

/** The picture of the architecture, as SVG. */
export function architecturePicture(): string {
  return drawLayers(layers, readImports());
}

/** CONTRIBUTING.md as it stands, with the tables of imports as they are now. */
export function contributing(): string {
  return withTables(Deno.readTextFileSync(`${project}CONTRIBUTING.md`));
}

function withTables(text: string): string {
  const [before, rest] = text.split(`${mark.begin}\n`);
  const after = rest?.split(mark.end)[1];
  if (after === undefined) throw new Error(`CONTRIBUTING.md lacks ${mark.begin} … ${mark.end}`);
  const tables = [
    table(layers),
    "Inside `realtime/`:",
    table(realtimeLayers),
    "Inside `cluster/`:",
    table(clusterLayers),
    "Inside `browser/`:",
    table(browserLayers),
  ];
  return `${before}${mark.begin}\n\n${tables.join("\n\n")}\n\n${mark.end}${after}`;
}

/** A table as `deno fmt` lays it out, from the top layer down. */
function table(layers: readonly Layer[]): string {
  const rows = layers.toReversed().map(({ name, holds, imports, types = [] }) => [
    `\`${name}\``,
    holds,
    imports.map(code).join(", ") || "–",
    types.map(code).join(", ") || "–",
  ]);
  const cells = [["part", "what it is", "imports", "imports types of"], ...rows];
  const widths = cells[0].map((_, column) => Math.max(...cells.map((row) => row[column].length)));
  const line = (row: string[]) =>
    `| ${row.map((cell, column) => cell.padEnd(widths[column])).join(" | ")} |`;
  const rule = `| ${widths.map((length) => "-".repeat(length)).join(" | ")} |`;
  return [line(cells[0]), rule, ...cells.slice(1).map(line)].join("\n");
}

function code(name: string): string {
  return `\`${name}\``;
}
