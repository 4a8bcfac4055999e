import type { Core } from "@/server/core.ts";
import { hereBroadcaster, reservedPrefix } from "@/server/presence/channels.ts";
import { Inspector, type Target } from "@/server/channels/inspector.ts";
import { inspectorChannel } from "@/server/presence/channels.ts";
import type { MemberOptions } from "@/realtime/protocol/member.ts";
import { departures } from "@/realtime/events/server_events.ts";
import { type App, type AppConfig, RealtimeServer } from "@/realtime/server.ts";
import { asConnection, FakeConnection } from "../../realtime/doubles.ts";
import { isGuestId } from "@/shared/client_settings.ts";
import { ManualClock } from "../../realtime/manual_clock.ts";
import { partOf } from "../../fixtures/doubles.ts";

/** The app of Rollcall's own pages. */
export const own: AppConfig = {
  id: "own",
  key: "own-key",
  secret: "own-secret",
  reserved: { prefix: reservedPrefix, secret: "reserved" },
};

/** An app of the operator. */
export const shop: AppConfig = { id: "shop", key: "shop-key", secret: "shop-secret" };

/** A server with two apps, clients without sockets, and an inspector; its clock is stopped. */
export class InspectedServer {
  readonly clock = new ManualClock();
  readonly realtime = new RealtimeServer({
    apps: [own, shop],
    clock: this.clock,
    isGuest: isGuestId,
    presenceGraceMs: 0,
  });
  readonly failures: unknown[] = [];
  readonly inspector: Inspector;
  #opened = 0;

  constructor() {
    const { clock, failures, realtime } = this;
    const ownApp = () => this.app(own.id);
    const core: Core = partOf({
      realtime,
      get ownApp() {
        return ownApp();
      },
      broadcastHere: hereBroadcaster(ownApp),
    });
    this.inspector = new Inspector(core, (entry) => failures.push(entry), clock);
  }

  app(id: string): App {
    return this.realtime.app(id)!;
  }

  /** A new client subscribes, as a member where one is given. */
  join(
    appId: string,
    channel: string,
    userId?: string,
    info: object = {},
    options?: MemberOptions,
  ): FakeConnection {
    const app = this.app(appId);
    const fake = new FakeConnection(`1.${++this.#opened}`, userId ?? "", app);
    app.opened(asConnection(fake));
    this.subscribe(fake, channel, userId, info, options);
    return fake;
  }

  /** A client subscribes to one more channel. */
  subscribe(
    fake: FakeConnection,
    channel: string,
    userId?: string,
    info: object = {},
    options?: MemberOptions,
  ): void {
    const member = userId === undefined
      ? undefined
      : { id: userId, info: JSON.stringify(info), ...options && { options } };
    fake.app.hub.subscribe(asConnection(fake), channel, member);
  }

  /** A client closes. */
  leave(fake: FakeConnection): void {
    fake.app.released(asConnection(fake), departures.closed);
  }

  /** An admin's page joins to inspect a channel, and asks for its events. */
  inspect(target: Target): FakeConnection {
    const page = this.join(own.id, inspectorChannel(target));
    this.inspector.open(target);
    page.frames.length = 0;
    return page;
  }

  /** The listeners of all apps to channels, which nothing may leave behind. */
  get listenedTo(): number {
    return this.realtime.apps.reduce((sum, app) => sum + app.stats().listenedTo, 0);
  }
}
