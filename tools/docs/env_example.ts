import { type Setting, settingGroups } from "@/server/config/setting.ts";
import { settingEntries } from "@/server/config/settings.ts";
import { defaultOf } from "./page_parts.ts";

/** How wide a comment is, in characters. */
const width = 100;

/** `.env.example`: every setting in a comment of its own, so that a copy of the file sets nothing. */
export function envExample(): string {
  return [
    comment(
      "The settings of Rollcall. Copy this file to .env and remove the # before what you set. " +
        "docs/settings.md explains each setting. Written by `deno task docs`.",
    ),
    ...settingGroups.map(section),
  ].join("\n\n") + "\n";
}

function section(group: string): string {
  const entries = settingEntries.filter(([, setting]) => setting.group === group);
  return [`# == ${group} ==`, ...entries.map(([name, setting]) => entry(name, setting))]
    .join("\n\n");
}

function entry(name: string, setting: Setting): string {
  return `${comment(summaryOf(setting))}\n#${name}=${valueOf(setting)}`;
}

/** The first sentence, without the marks of Markdown. */
function summaryOf({ about, unit }: Setting): string {
  const [sentence] = about.split(/(?<=\.)\s/);
  const plain = sentence.replace(/: \[[^\]]*\]\([^)]*\)/, "").replace(
    /\[([^\]]*)\]\([^)]*\)/g,
    "$1",
  )
    .replaceAll("`", "");
  return unit === undefined ? plain : `${plain.replace(/\.$/, "")}, in ${unit}.`;
}

/** Something that can stand there: an example, or the default if it is a value. */
function valueOf(setting: Setting): string {
  return setting.example ?? defaultOf(setting) ?? "";
}

/** Lines that begin with `#`. */
function comment(text: string): string {
  const lines = [""];
  for (const word of text.split(" ")) {
    const last = lines[lines.length - 1];
    if (last.length + word.length + 3 > width) lines.push(word);
    else lines[lines.length - 1] = last === "" ? word : `${last} ${word}`;
  }
  return lines.map((line) => `# ${line}`).join("\n");
}
