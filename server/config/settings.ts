import { z } from "zod";
import { clusterSettings } from "./cluster_settings.ts";
import { schemasOf, type Setting } from "./setting.ts";
import { pusherSettings } from "./pusher_settings.ts";
import { realtimeSettings } from "./realtime_settings.ts";
import { serverSettings } from "./server_settings.ts";

/** Every setting: each is given once, for the parser and for the documents. */
export const settings = {
  ...serverSettings,
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
