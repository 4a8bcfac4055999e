import { type Setting, settingGroups } from "@/server/config/setting.ts";
import { settingEntries } from "@/server/config/settings.ts";
import { defaultOf, formatted, table, valuesOf } from "./page_parts.ts";

/** `docs/settings.md`: every setting, in a table for each group. */
export async function settingsPage(): Promise<string> {
  return await formatted([introduction(), ...settingGroups.map(section)].join("\n\n") + "\n");
}

function introduction(): string {
  return `# Settings

<!-- Written by \`deno task docs\` from server/config/settings.ts. -->

Rollcall reads its settings from environment variables and from a file \`.env\` in the working
folder. Where both have a setting, the environment wins. None is required to try it; a public server needs
[\`APP_URL\`](#app_url). [.env.example](../.env.example) lists all the settings on this page.

\`\`\`dotenv
APP_URL=https://rollcall.example.com
TRUSTED_PROXIES=127.0.0.1
\`\`\`

- An empty value counts as not given. \`true\` is also \`1\`, \`yes\` or \`on\`.
- A value that is not allowed stops the start with exit code 2 and one line that names the setting.
- Values of secrets are never printed.
- Changes take effect at a restart, except changes of the [apps](apps.md#change-the-list-without-a-restart).
- The settings of [Soketi's default app](migrate.md#from-soketi) are read in place of
  \`PUSHER_APP_*\`. Deno itself reads \`DENO_CERT\`, the certificate of an authority to trust, and
  [\`OTEL_*\`](monitoring.md#opentelemetry). The [executable](executable.md#when-it-refuses) also
  reads \`ROLLCALL_CACHE_DIR\`.`;
}

function section(group: string): string {
  const settings = settingEntries.filter(([, setting]) => setting.group === group);
  return `## ${group}\n\n${table(["setting", "default", "what it does"], settings.map(row))}`;
}

function row([name, setting]: [name: string, setting: Setting]): string[] {
  const { about, secret, formerly } = setting;
  const values = valuesOf(setting);
  const notes = [
    about,
    values && `Value: ${values}.`,
    secret && "Secret.",
    formerly && `The earlier name \`${formerly}\` is still read.`,
  ];
  // Links and the search lead to a setting by this id.
  const head = `<a id="${name.toLowerCase()}"></a>\`${name}\``;
  return [head, byDefault(setting), notes.filter(Boolean).join(" ")];
}

function byDefault(setting: Setting): string {
  if (setting.otherwise !== undefined) return setting.otherwise;
  const value = defaultOf(setting);
  if (value === undefined) return "none";
  return setting.unit === undefined ? `\`${value}\`` : `\`${value}\` ${setting.unit}`;
}
