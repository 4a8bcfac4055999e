import {
  type ExternalField,
  reverbFields,
  soketiFields,
  soketiWebhookFields,
} from "@/server/config/external_app_fields.ts";
import { soketiVariables } from "@/server/config/compatibility.ts";
import { documentedAppFields } from "@/server/config/app_fields.ts";
import type { Field } from "@/server/config/setting.ts";
import { defaultOf, table, valuesOf, withParts } from "./page_parts.ts";

/** `docs/migrate.md` with what Rollcall reads of Soketi and of Reverb, where it differs from what they do. */
export function migratePage(): Promise<string> {
  const ofWebhooks = Object.entries(soketiWebhookFields)
    .map(([name, field]): [string, ExternalField] => [`webhooks[].${name}`, field]);
  return withParts("docs/migrate.md", {
    "server/config/compatibility.ts": Object.keys(soketiVariables)
      .map((name) => `\`SOKETI_DEFAULT_APP_${name}\``).join(", ") + ".",
    "server/config/external_app_fields.ts: Reverb": fieldTable("Reverb", reverbFields),
    "server/config/external_app_fields.ts: Soketi": fieldTable("Soketi", {
      ...soketiFields,
      ...Object.fromEntries(ofWebhooks),
    }),
  });
}

/** The fields of which there is something to say besides a name. */
function fieldTable(server: string, fields: Record<string, ExternalField>): string {
  return table(
    [server, "Rollcall", "what differs"],
    Object.entries(fields).filter(([, { about }]) => about !== "")
      .map(([name, { ours, about }]) => [`\`${name}\``, inRollcall(ours), about]),
  );
}

function inRollcall(ours: string | undefined): string {
  return ours === undefined ? "none" : `\`${ours}\``;
}

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
