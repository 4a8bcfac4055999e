import { EventFeed } from "@/server/channels/event_feed.ts";
import { HttpApi } from "@/realtime/api/http_api.ts";
import { type AppConfig, RealtimeServer } from "@/realtime/server.ts";
import { published } from "@/realtime/protocol/outgoing.ts";
import { systemClock } from "@/realtime/timing/clock.ts";
import { Webhooks } from "@/realtime/webhooks/webhooks.ts";
import {
  app,
  type BenchServer,
  idleTimeoutSeconds,
  presenceChannel,
  publicChannel,
} from "./bench_app.ts";

/** Rollcall's own server and HTTP API, without pages. */
export class RollcallServer implements BenchServer {
  protected readonly realtime: RealtimeServer;
  readonly #api = new HttpApi({ appOf: (id) => this.realtime.appApi(id) });

  constructor(rules: Partial<AppConfig> = {}) {
    const unlimited = { clientEvents: true, clientEventsPerSecond: 0, maxMessagesPerSecond: 0 };
    const apps = [{ ...app, ...unlimited, ...rules }];
    this.realtime = new RealtimeServer({
      apps,
      idleTimeoutSeconds,
      presenceGraceMs: 0,
      maxConnectionsPerAddress: 0,
    });
  }

  /** A server with every listener attached; its webhooks stop before the network. */
  static observed(): RollcallServer {
    const server = new RollcallServer({ webhooks: [{ url: "http://127.0.0.1/" }] });
    server.#observe();
    return server;
  }

  /** A server with an admin's page that inspects the public channel. */
  static inspected(): RollcallServer {
    const server = new RollcallServer();
    const { realtime } = server;
    const [app] = realtime.apps;
    new EventFeed(
      app,
      publicChannel,
      (events) => app.publish("private-rollcall.inspector", "EventsInspected", events),
      systemClock,
    );
    return server;
  }

  #observe(): void {
    const realtime = this.realtime;
    for (let turn = 0; turn < 100; turn++) {
      realtime.apps[0].listeners.presence.add(presenceChannel(turn), () => {});
    }
    const webhooks = new Webhooks({
      store: {
        list: () => Promise.resolve([]),
        read: () => Promise.resolve([]),
        write: () => Promise.resolve(true),
      },
      appOf: (id) => realtime.app(id)?.settings,
      send: () => Promise.resolve(200),
    });
    realtime.onServerEvent((event, app) => webhooks.take(event, app));
  }

  answer(request: Request, pathname: string, address: string): Response | Promise<Response> {
    return this.#api.handles(pathname)
      ? this.#api.answer(request)
      : this.realtime.upgrade(request, address);
  }

  publish(channel: string, event: string, data: unknown): void {
    this.realtime.apps[0].publish(channel, event, data);
  }

  forget(): void {}
}

/** Rollcall without what lets admins inspect channels. */
export class UnlistenedServer extends RollcallServer {
  override publish(channel: string, event: string, data: unknown): void {
    this.realtime.apps[0].hub.publish(channel, published(channel, event, data));
  }
}
