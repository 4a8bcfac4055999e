import {
  type ExternalField,
  reverbFields,
  soketiFields,
  soketiWebhookFields,
} from "@/server/config/external_app_fields.ts";
import { settingEntries } from "@/server/config/settings.ts";
import { soketiVariables } from "@/server/config/compatibility.ts";
import { documentedAppFields } from "@/server/config/app_fields.ts";
import type { Field } from "@/server/config/setting.ts";
import { defaultOf, table, valuesOf, withParts } from "./page_parts.ts";

/** `docs/from-soketi.md` with the settings and fields of Soketi that the program knows. */
export function soketiPage(): Promise<string> {
  const variables = Object.entries(soketiVariables).map(([name, field]) => {
    const { ours } = soketiFields[field];
    return [`\`SOKETI_DEFAULT_APP_${name}\``, `\`${field}\``, inRollcall(ours)];
  });
  const ofWebhooks = Object.entries(soketiWebhookFields)
    .map(([name, field]): [string, ExternalField] => [`webhooks[].${name}`, field]);
  return withParts("docs/from-soketi.md", {
    "server/config/compatibility.ts": table(
      ["Soketi's setting", "its field", "Rollcall"],
      variables,
    ),
    "server/config/external_app_fields.ts": fieldTable("Soketi", [
      ...Object.entries(soketiFields),
      ...ofWebhooks,
    ]),
  });
}

/** `docs/from-reverb.md` with the settings and fields of Reverb that the program knows. */
export function reverbPage(): Promise<string> {
  const settings = settingEntries.filter(([, { group }]) => group === "From Laravel Reverb")
    .map(([name, { about }]) => [`\`${name}\``, about]);
  return withParts("docs/from-reverb.md", {
    "server/config/settings.ts": table(["Reverb's setting", "meaning in Rollcall"], settings),
    "server/config/external_app_fields.ts": fieldTable("Reverb", Object.entries(reverbFields)),
  });
}

function fieldTable(server: string, fields: [name: string, field: ExternalField][]): string {
  return table(
    [server, "Rollcall", "what differs"],
    fields.map(([name, { ours, about }]) => [`\`${name}\``, inRollcall(ours), about]),
  );
}

function inRollcall(ours: string | undefined): string {
  return ours === undefined ? "none: named in the warning" : `\`${ours}\``;
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
