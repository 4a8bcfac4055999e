import { documentedAppFields } from "@/server/config/app_fields.ts";
import type { Field } from "@/server/config/setting.ts";
import { defaultOf, valuesOf } from "./field_text.ts";
import { table, withParts } from "./written_part.ts";

/** `docs/apps.md` with the table of what an app may have. */
export function appsPage(): Promise<string> {
  const fields: [string, Field][] = Object.entries(documentedAppFields);
  return withParts("docs/apps.md", {
    "server/config/app_fields.ts": table(["name", "default", "value", "meaning"], fields.map(row)),
  });
}

function row([name, field]: [string, Field]): string[] {
  const byDefault = defaultOf(field);
  return [
    `\`${name}\``,
    byDefault === undefined ? "" : `\`${byDefault}\``,
    valuesOf(field)?.replace(/^a text in quotes: /, "") ?? "",
    field.about,
  ];
}
