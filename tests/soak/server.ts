import { services } from "@/main.ts";
import { serveWholeApp } from "../fixtures/whole_app.ts";
import { apps } from "../fuzz/apps.ts";

/** Leaks, ten times a second, with which the soak proves that it finds one. */
const leaks: Record<string, (count: number) => void> = {
  memory: (count) => hoard.push(Array.from({ length: 2_500 }, (_, index) => count + index / 2)),
  map: (count) => services.ownApp.listeners.presence.add(`presence-leak-${count}`, () => {}),
};
const hoard: number[][] = [];

const [receiver, leakName] = Deno.args;
const leak = leaks[leakName];
let count = 0;
if (leak) setInterval(() => leak(count++), 100);

/** The whole app, with apps for strangers beside its own; the first of these sends webhooks. */
const [first, second, ...others] = apps;
await serveWholeApp([
  { ...first, webhooks: [{ url: receiver }] },
  { ...second, webhooks: [] },
  ...others,
]);
