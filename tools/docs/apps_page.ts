import { documentedAppFields } from "../../config/app_fields.ts";
import type { Field } from "../../config/field.ts";
import { defaultOf, valuesOf } from "./field_text.ts";
import { formatted } from "./formatted.ts";

const begin = "<!-- Written by `deno task docs` from config/app_fields.ts. -->";
const end = "<!-- End of what is written. -->";

/** `docs/apps.md` with the table of what an app may have; the rest of the page stays as it is. */
export async function appsPage(): Promise<string> {
  const page = await Deno.readTextFile("docs/apps.md");
  const [before, rest] = page.split(begin);
  const after = rest?.split(end)[1];
  if (after === undefined) throw new Error(`docs/apps.md needs the lines ${begin} and ${end}`);
  return await formatted(`${before}${begin}\n\n${table()}\n\n${end}${after}`);
}

function table(): string {
  const fields: [string, Field][] = Object.entries(documentedAppFields);
  return ["| name | default | value | meaning |", "| --- | --- | --- | --- |", ...fields.map(row)]
    .join("\n");
}

function row([name, field]: [string, Field]): string {
  const byDefault = defaultOf(field);
  const cells = [
    `\`${name}\``,
    byDefault === undefined ? "" : `\`${byDefault}\``,
    valuesOf(field)?.replace(/^a text in quotes: /, "") ?? "",
    field.about,
  ];
  return `| ${cells.map((cell) => cell.replaceAll("|", "\\|")).join(" | ")} |`;
}
