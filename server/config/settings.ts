import { z } from "zod";
import { clusterSettings } from "./cluster_settings.ts";
import { schemasOf, type Setting } from "./setting.ts";
import { mailSettings } from "./mail_settings.ts";
import { oidcSettings } from "./oidc_settings.ts";
import { pusherSettings } from "./pusher_settings.ts";
import { realtimeSettings } from "./realtime_settings.ts";
import { serverSettings } from "./server_settings.ts";

/** Every setting: each is given once, for the parser and for the documents. */
export const settings = {
  ...serverSettings,
  ...oidcSettings,
  ...mailSettings,
  ...clusterSettings,
  ...realtimeSettings,
  ...pusherSettings,
};

/** The name of a setting. */
export type SettingName = keyof typeof settings;

/** The settings and their names, for code that treats all of them alike. */
export const settingEntries = Object.entries(settings) as [SettingName, Setting][];

/** Reads the environment. */
export const settingsSchema = z.object(schemasOf(settings));

/** A name such as `DRAIN_MS` as code writes it: `drainMs`. */
type CamelCase<Name extends string> = Name extends `${infer First}_${infer Others}`
  ? `${Lowercase<First>}${Capitalize<CamelCase<Others>>}`
  : Lowercase<Name>;

/** The settings by the names that they have in code. */
export function inCamelCase<Settings extends Record<string, unknown>>(settings: Settings) {
  const named = Object.entries(settings).map(([name, value]) => [
    name.toLowerCase().replace(/_(.)/g, (_, letter: string) => letter.toUpperCase()),
    value,
  ]);
  return Object.fromEntries(named) as {
    [Name in keyof Settings & string as CamelCase<Name>]: Settings[Name];
  };
}
