import { HttpApi } from "@/realtime/api/http_api.ts";
import {
  type AppConfig,
  type LogEntry,
  type RealtimeOptions,
  RealtimeServer,
} from "@/realtime/server.ts";
import { postWebhook, type SendWebhook } from "@/realtime/webhooks/webhook_sender.ts";
import { Webhooks } from "@/realtime/webhooks/webhooks.ts";
import { MemoryStore } from "../realtime/webhooks/simulation.ts";
import { until } from "../fixtures/eventually.ts";
import { ManualClock } from "../realtime/manual_clock.ts";
import { SharedUsers, type SharedUsersOptions } from "./shared_users.ts";

/** The options of a server process, as JSON in its first argument. */
export interface ServerOptions extends Partial<Omit<RealtimeOptions, "apps" | "clock" | "log">> {
  port?: number;
  /** The sockets' clock is stopped; `POST /under-test/advance` advances it. */
  clockIsStopped?: boolean;
  /** The date for the HTTP API, in milliseconds since 1970. */
  apiTime?: number;
  /** The process is several servers that share their users; they have one clock, if it is stopped. */
  several?: SharedUsersOptions & { count: number };
}

/** An app that no rule has. */
const bystander: AppConfig = { id: "bystander", key: "bystander", secret: crypto.randomUUID() };

/** The requests of webhooks that run. */
const requests = new Set<Promise<number>>();

/** Posts a webhook. */
const send: SendWebhook = (...request) => {
  const status = postWebhook(...request);
  requests.add(status);
  const ended = () => void requests.delete(status);
  status.then(ended, ended);
  return status;
};

/** Sockets, webhooks and the HTTP API of one server. */
interface Server {
  readonly realtime: RealtimeServer;
  readonly api: HttpApi;
  readonly webhooks: Webhooks;
  readonly users: SharedUsers | undefined;
}

/**
 * Serves sockets and the HTTP API on ports that are printed, one for each server; at SIGTERM they stop as the app
 * does.
 */
async function serve(options: ServerOptions): Promise<void> {
  const { clockIsStopped, port = 0, several } = options;
  const clock = clockIsStopped ? new StoppedClock() : undefined;
  const shared = { clock, store: new MemoryStore() };
  const servers = await Promise.all(
    Array.from({ length: several?.count ?? 1 }, () => start(options, shared)),
  );
  if (several) await SharedUsers.haveLeader(servers.map(({ users }) => users!));
  const orders: Record<string, (body: unknown) => void | Promise<void>> = {
    apps(apps) {
      for (const { realtime } of servers) {
        realtime.replaceApps([bystander, ...apps as AppConfig[]]);
      }
    },
    settle: () => SharedUsers.settle(servers.map(({ users }) => users!)),
    async advance(milliseconds) {
      if (several) {
        await SharedUsers.advance(servers.map(({ users }) => users!), Number(milliseconds));
      }
      clock?.advance(Number(milliseconds));
      // The time does not pass while a receiver answers.
      await until(() => requests.size === 0, "all webhooks had been answered");
    },
    drain() {
      for (const { realtime } of servers) void realtime.drain();
    },
    "send-away"(isAway) {
      for (const { realtime } of servers) {
        if (isAway) void realtime.sendAway(0);
        else realtime.acceptAgain();
      }
    },
  };
  const listeners = servers.map(({ api, realtime }) =>
    Deno.serve(
      { port, hostname: "127.0.0.1", onListen() {} },
      async (request, { remoteAddr }) => {
        const { pathname } = new URL(request.url);
        const order = orders[/^\/under-test\/([\w-]+)$/.exec(pathname)?.[1] ?? ""];
        if (order) {
          await order(await request.json());
          return new Response(null, { status: 204 });
        }
        if (api.handles(pathname)) return await api.answer(request);
        return realtime.upgrade(request, remoteAddr.hostname);
      },
    )
  );
  console.log(listeners.map(({ addr }) => addr.port).join(" "));
  Deno.addSignalListener("SIGTERM", async () => {
    await Promise.all(servers.map(stop));
    await Promise.all(listeners.map((listener) => listener.shutdown()));
    Deno.exit(0);
  });
  await Promise.all(listeners.map(({ finished }) => finished));
}

/** @param shared what the servers of a process have in common. */
async function start(
  options: ServerOptions,
  { clock, store }: { clock: StoppedClock | undefined; store: MemoryStore },
): Promise<Server> {
  const { apiTime, several, presenceGraceMs = 0, ...others } = options;
  const log = (entry: LogEntry) => entry.level === "error" && console.error(entry);
  const users = several &&
    await SharedUsers.join(several, { hasOwnClock: clock !== undefined, log });
  const realtime = new RealtimeServer({
    ...others,
    ...users?.options,
    presenceGraceMs,
    apps: [bystander],
    log,
    clock,
  }, users?.others);
  const appOf = (id: string) => realtime.app(id)?.settings;
  const date = clock?.date;
  const webhooks = new Webhooks({ store, appOf, presenceGraceMs, clock, date, log, send });
  if (users) users.serve(realtime, webhooks);
  else realtime.onServerEvent((event, app) => webhooks.take(event, app));
  const api = new HttpApi({
    appOf: (id) => realtime.appApi(id),
    now: apiTime === undefined ? undefined : () => apiTime,
    log,
  });
  return { realtime, api, webhooks, users };
}

async function stop({ realtime, users, webhooks }: Server): Promise<void> {
  const isHeld = users?.claim();
  await realtime.drain();
  await isHeld;
  await webhooks.stop();
  await users?.leave();
}

/** A stopped clock, while ticks of the event loop go on. */
export class StoppedClock extends ManualClock {
  override after(milliseconds: number, callback: () => void): () => void {
    if (milliseconds > 0) return super.after(milliseconds, callback);
    const timer = setTimeout(callback);
    return () => clearTimeout(timer);
  }
}

if (import.meta.main) await serve(JSON.parse(Deno.args[0]));
