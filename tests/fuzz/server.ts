import { HttpApi } from "@/realtime/api/http_api.ts";
import { type LogEntry, RealtimeServer } from "@/realtime/server.ts";
import { Webhooks } from "@/realtime/webhooks/webhooks.ts";
import { type Clock, systemClock } from "@/realtime/timing/clock.ts";
import { handleRequests } from "../fixtures/asked_process.ts";
import { sizesOf, webhookSizesOf } from "../fixtures/sizes.ts";
import { MemoryStore } from "../realtime/webhooks/simulation.ts";
import { apps } from "./apps.ts";

/** The real clock, of which a test can skip a part. */
export class SkippingClock implements Clock {
  #skipped = 0;
  readonly #waiting = new Set<{ at: number; run: () => void; cancel: () => void }>();

  now = (): number => systemClock.now() + this.#skipped;

  date = (): number => systemClock.date() + this.#skipped;

  after = (milliseconds: number, callback: () => void): () => void => {
    const run = () => {
      this.#waiting.delete(timer);
      callback();
    };
    const cancel = systemClock.after(milliseconds, run);
    const timer = { at: this.now() + milliseconds, run, cancel };
    this.#waiting.add(timer);
    return () => {
      cancel();
      this.#waiting.delete(timer);
    };
  };

  /** Advances by this much at once: timers that fall due run now, in order, at their time. */
  skip(milliseconds: number): void {
    const end = this.now() + milliseconds;
    while (true) {
      const [next] = [...this.#waiting].sort((one, other) => one.at - other.at);
      if (!next || next.at > end) break;
      this.#skipped += Math.max(0, next.at - this.now());
      next.cancel();
      next.run();
    }
    this.#skipped += Math.max(0, end - this.now());
  }
}

/**
 * The socket server, its webhooks and the HTTP API on one port, in a process of their own. Errors that
 * it logs or does not catch are on its stderr.
 */
const clock = new SkippingClock();
/** Exceeded limits and a dead receiver give warnings, which are expected. */
const log = ({ level, ...entry }: LogEntry) => level === "error" && console.error(entry);
const realtime = new RealtimeServer({
  apps,
  clock,
  log,
  maxChannels: 30,
  maxSubscriptionsPerConnection: 8,
});
const store = new MemoryStore();
const webhooks = new Webhooks({
  store,
  appOf: (id) => realtime.app(id)?.settings,
  clock,
  log,
  send: (url, _app, body) => {
    JSON.parse(body);
    return Promise.resolve(url.includes("dead") ? 500 : 200);
  },
});
realtime.onServerEvent((event, app) => webhooks.take(event, app));
const api = new HttpApi({ appOf: (id) => realtime.appApi(id), log });

const { addr } = Deno.serve({ port: 0, hostname: "127.0.0.1", onListen() {} }, (request, info) => {
  const url = URL.parse(request.url);
  if (url && api.handles(url.pathname)) return api.answer(request);
  return realtime.upgrade(request, info.remoteAddr.hostname);
});

await handleRequests(addr.port, {
  sizes: () => ({
    ...sizesOf(realtime.stats()),
    ...webhookSizesOf(webhooks.stats()),
    stored: store.records.length,
  }),
  skip: (milliseconds) => clock.skip(milliseconds),
});
