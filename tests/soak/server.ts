import { services } from "../../main.ts";
import { serveWholeApp } from "../fixtures/whole_app.ts";
import { apps } from "../fuzz/apps.ts";

/** Ways to leak, ten times a second, by which the soak shows that it would find one. */
const leaks: Record<string, (count: number) => void> = {
  memory: (count) => hoard.push(Array.from({ length: 2_500 }, (_, index) => count + index / 2)),
  map: (count) => services.realtime.onPresence(`presence-leak-${count}`, () => {}),
};
const hoard: number[][] = [];

const leak = leaks[Deno.args[0]];
let count = 0;
if (leak) setInterval(() => leak(count++), 100);

/** The whole app, with apps for strangers beside its own. */
await serveWholeApp(apps);
