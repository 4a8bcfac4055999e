import { HttpApi } from "../../realtime/api/http_api.ts";
import {
  type AppConfig,
  type LogEntry,
  type RealtimeOptions,
  RealtimeServer,
} from "../../realtime/server.ts";
import { Webhooks } from "../../realtime/webhooks/webhooks.ts";
import { StandingClock } from "./standing_clock.ts";
import { MemoryStore } from "../realtime/webhooks/memory_store.ts";

/** The options of a server process, as JSON in its first argument. */
export interface ServerOptions extends Partial<Omit<RealtimeOptions, "apps" | "clock" | "log">> {
  port?: number;
  /** The sockets' clock stands still; `POST /under-test/advance` advances it. */
  clockStandsStill?: boolean;
  /** The date for the HTTP API, in milliseconds since 1970. */
  apiTime?: number;
}

if (import.meta.main) await serve(JSON.parse(Deno.args[0]));

/** Serves sockets and the HTTP API on a port that is printed; at SIGTERM it stops as the app does. */
async function serve(options: ServerOptions): Promise<void> {
  const { port = 0, clockStandsStill, apiTime, presenceGraceMs = 0, ...limits } = options;
  const clock = clockStandsStill ? new StandingClock() : undefined;
  const log = (entry: LogEntry) => entry.level === "error" && console.error(entry);
  const bystander: AppConfig = { id: "bystander", key: "bystander", secret: crypto.randomUUID() };
  const realtime = new RealtimeServer({
    ...limits,
    presenceGraceMs,
    apps: [bystander],
    log,
    clock,
  });
  const webhooks = new Webhooks({
    store: new MemoryStore(),
    appOf: (id) => realtime.app(id)?.settings,
    presenceGraceMs,
    clock,
    log,
  });
  realtime.onServerEvent((event, app) => webhooks.take(event, app));
  const api = new HttpApi({
    appOf: (id) => realtime.appApi(id),
    now: apiTime === undefined ? undefined : () => apiTime,
    log,
  });
  const listener = Deno.serve(
    { port, hostname: "127.0.0.1", onListen: ({ port }) => console.log(port) },
    async (request, { remoteAddr }) => {
      const { pathname } = new URL(request.url);
      if (pathname === "/under-test/apps") {
        return done(realtime.replaceApps([bystander, ...await request.json()]));
      }
      if (pathname === "/under-test/advance") return done(clock?.advance(await request.json()));
      if (pathname === "/under-test/send-away") {
        return done(await request.json() ? void realtime.sendAway(0) : realtime.acceptAgain());
      }
      if (api.handles(pathname)) return await api.answer(request);
      return realtime.upgrade(request, remoteAddr.hostname);
    },
  );
  Deno.addSignalListener("SIGTERM", async () => {
    await realtime.drain();
    await webhooks.stop();
    await listener.shutdown();
    Deno.exit(0);
  });
  await listener.finished;
}

function done(_: void): Response {
  return new Response(null, { status: 204 });
}
