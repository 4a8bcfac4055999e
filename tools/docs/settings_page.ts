import { type Setting, settingGroups } from "@/server/config/setting.ts";
import { settingEntries } from "@/server/config/settings.ts";
import { defaultOf, formatted, valuesOf } from "./page_parts.ts";

/** `docs/settings.md`: every setting, by group. */
export async function settingsPage(): Promise<string> {
  return await formatted([introduction(), ...settingGroups.map(section)].join("\n\n") + "\n");
}

function introduction(): string {
  return `# Settings

<!-- Written by \`deno task docs\` from server/config/settings.ts. -->

Rollcall reads its settings from environment variables and, beneath them, from a file \`.env\` in the
working folder: a variable of the environment wins. The names are Laravel's where Laravel has one.
None is required. [.env.example](../.env.example) lists them all.

\`\`\`dotenv
APP_URL=https://rollcall.example.com
TRUSTED_PROXIES=127.0.0.1
\`\`\`

- An empty value counts as not given.
- A value that is not allowed stops the start with exit code 2 and one line that names the setting.
  The values of secrets are not printed.
- Changes take effect at a restart, except changes of the [apps](apps.md#changes-without-a-restart).

${settingGroups.map(listed).join("\n")}`;
}

function listed(group: string): string {
  const names = settingsOf(group).map(([name]) => `[\`${name}\`](#${name.toLowerCase()})`);
  return `- [${group}](#${group.toLowerCase().replaceAll(" ", "-")}): ${names.join(", ")}`;
}

function section(group: string): string {
  return [`## ${group}`, ...settingsOf(group).map(([name, setting]) => entry(name, setting))]
    .join("\n\n");
}

function settingsOf(group: string): [name: string, setting: Setting][] {
  return settingEntries.filter(([, setting]) => setting.group === group);
}

function entry(name: string, setting: Setting): string {
  const { about, secret, formerly } = setting;
  const values = valuesOf(setting);
  const facts = [
    `Default: ${byDefault(setting)}.`,
    values && `Value: ${values}.`,
    secret && "Secret: never printed.",
    formerly && `The earlier name \`${formerly}\` is still read.`,
  ];
  return `### \`${name}\`\n\n${about}\n\n${facts.filter(Boolean).join(" ")}`;
}

function byDefault(setting: Setting): string {
  if (setting.otherwise !== undefined) return setting.otherwise;
  const value = defaultOf(setting);
  if (value === undefined) return "none";
  return setting.unit === undefined ? `\`${value}\`` : `\`${value}\` ${setting.unit}`;
}
