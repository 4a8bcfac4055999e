import { randomBytes } from "node:crypto";
import { isLoopback } from "../config/schemas.ts";
import { soketiPrefix, soketiVariables } from "../config/compatibility.ts";
import { settingEntries } from "../config/settings.ts";
import { isSameText } from "@/realtime/protocol/signature.ts";
import { pastDays } from "./demo_past.ts";

/** The demo that this process is. */
export interface RunningDemo {
  /** The admin whom the link signs in. */
  readonly admin: { readonly name: string; readonly email: string; readonly password: string };
  /** What the link of the demo ends with, until it is used. */
  token: string | null;
}

let running: RunningDemo | null = null;

/** The demo that this process is; null when it is not one. */
export function runningDemo(): RunningDemo | null {
  return running;
}

/** Makes this process a demo. Its admin has a random password, which is shown nowhere: only the link signs in. */
export function beginDemo(): RunningDemo & { token: string } {
  const [token, password] = [0, 1].map(() => randomBytes(24).toString("base64url"));
  const admin = { name: "Sam", email: "sam@shop.example", password };
  const demo = { admin, token };
  running = demo;
  return demo;
}

/** Uses up the link of a demo. @returns whether the token was right and the link not used before */
export function takeLink(demo: RunningDemo, token: string): boolean {
  if (demo.token === null || !isSameText(token, demo.token)) return false;
  demo.token = null;
  return true;
}

/** What a demo runs with. */
interface DemoPlace {
  /** Where it listens. */
  host: string;
  port: string;
  /** A folder of its own. */
  folder: string;
}

/**
 * The settings of a demo, which ignores those of an installation: it must not touch the data of one that is set up in
 * the same shell. A setting that is null is left unset.
 */
export function demoSettings({ host, port, folder }: DemoPlace): Record<string, string | null> {
  const names = [
    ...settingEntries.flatMap(([name, { formerly = name }]) => [name, formerly]),
    ...Object.keys(soketiVariables).map((name) => `${soketiPrefix}${name}`),
  ];
  const address = isLoopback(host) || ["0.0.0.0", "::"].includes(host) ? "localhost" : host;
  return {
    ...Object.fromEntries(names.map((name) => [name, null])),
    DENO_DEPLOY: null,
    APP_URL: `http://${address}:${port}`,
    HOST: host,
    PORT: port,
    DATA_DIR: folder,
    TIME_ZONE: Intl.DateTimeFormat().resolvedOptions().timeZone,
    PUSHER_APP_ID: "shop",
    ACTIVITY_DAYS: String(pastDays + 1),
    // Its people are closed with it, so there is no one to spread out over time.
    DRAIN_MS: "0",
    LOG_LEVEL: "error",
  };
}
