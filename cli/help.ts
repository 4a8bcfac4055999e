import type { Command, Flag } from "./command.ts";
import { table } from "./output.ts";

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
      ["--version", "Print the version, and where its packages are from"],
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
