import type { Field } from "./field.ts";

/** The parts of the reference, in their order. */
export const settingGroups = [
  "Address",
  "Counting",
  "Data",
  "Pusher apps",
  "Client features",
  "Limits",
  "HTTPS and proxies",
  "Several servers",
  "External Pusher server",
  "From Laravel Reverb",
  "Logs and metrics",
  "Start and stop",
] as const;

/** A setting: one environment variable. */
export interface Setting extends Field {
  group: typeof settingGroups[number];
  /** A value that shows the form, for a setting without a default that could. */
  example?: string;
  /** The name of earlier versions, which is still read. */
  formerly?: string;
  /** Its value is never printed. */
  secret?: true;
}
