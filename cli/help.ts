import type { Command, Flag } from "./command_line.ts";

/** Controls, and marks that turn the direction of the text around them; lines may end. */
const unprintable = /(?!\n)[\p{Cc}\p{Bidi_Control}\u2028\u2029]/gu;

/** Text for a terminal: what would change how the rest is shown is written as an escape, as JSON does. */
export function printable(text: string): string {
  return text.replaceAll(unprintable, (one) => {
    return `\\u${one.charCodeAt(0).toString(16).padStart(4, "0")}`;
  });
}

/** Aligns rows in columns. Every row has as many cells as the first. */
export function table(rows: string[][]): string {
  const widths = rows[0].map((_, column) => Math.max(...rows.map((row) => row[column].length)));
  const line = (row: string[]) => row.map((cell, column) => cell.padEnd(widths[column])).join("  ");
  return rows.map((row) => line(row).trimEnd()).join("\n");
}

const units = ["bytes", "KB", "MB", "GB"];

/** A size as people read it, such as `1.3 MB`. */
export function sizeText(bytes: number): string {
  const power = Math.min(Math.floor(Math.log10(Math.max(bytes, 1)) / 3), units.length - 1);
  return `${(bytes / 1000 ** power).toFixed(power === 0 ? 0 : 1)} ${units[power]}`;
}

/** The help of the whole program. */
export function programHelp(summaries: Record<string, string>): string {
  return [
    "Rollcall shows, live and accurately, how many users are online.",
    "",
    "Usage: rollcall COMMAND",
    "",
    columns(Object.entries(summaries)),
    "",
    columns([
      ["COMMAND --help", "Describe a command and its flags"],
      ["--version", "Print the version, its commit, and where its packages are from"],
    ]),
    "",
    "Settings are environment variables, or lines of a file .env in the working folder.",
  ].join("\n");
}

/** The help of one command. */
export function commandHelp(name: string, { usage, about, flags }: Command): string {
  const listed = Object.entries(flags);
  return [
    `Usage: rollcall ${[name, usage].filter(Boolean).join(" ")}`,
    "",
    ...about,
    ...(listed.length > 0 ? ["", columns(listed.map(flagRow))] : []),
  ].join("\n");
}

function flagRow([name, { value, about }]: [string, Flag]): [string, string] {
  return [value === undefined ? `--${name}` : `--${name} ${value}`, about];
}

function columns(rows: [string, string][]): string {
  return table(rows.map(([left, right]) => [`  ${left}`, right]));
}
