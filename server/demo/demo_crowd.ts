import { triggerEvent } from "@/realtime/api/events.ts";
import type { AppConfig } from "@/realtime/app_config.ts";
import { reportedActivityEvent, reportedPageEvent } from "@/realtime/protocol/incoming.ts";
import { signChannel } from "@/realtime/protocol/signature.ts";
import type { RealtimeServer } from "@/realtime/server.ts";
import { demoGuest, type DemoPerson, demoUser } from "./demo_people.ts";
import { onlineChannel } from "../presence/channels.ts";
import { expectedOnline, guestShare, shopUsers } from "./demo_past.ts";
import { Random } from "./random.ts";

/** How often people come, go and read, in ms. */
const tickMs = 400;

/** How many arrive at once while far fewer than usual are online. */
const mostAtOnce = 6;

/** The share of open tabs that are not in use. */
const unusedShare = 0.3;

/** How many guests come back: each time, with the same id. */
const knownGuests = 60;

/** The other channels of the shop: one for all who look at it, and one for those who answer questions. */
const channels = { orders: "orders", support: "presence-support" };

/** An event that the shop's server sends. */
interface ShopEvent {
  name: string;
  channel: string;
  data: Record<string, unknown>;
}

/** An open tab: a client of the Pusher protocol that does no more than a demo needs. */
class Tab {
  readonly #socket: WebSocket;
  readonly #person: DemoPerson;
  readonly #app: AppConfig;
  /** What is reported to admins: the page, and whether the tab is used. */
  #shown: { path: string; isUsed: boolean };

  constructor(
    address: string,
    app: AppConfig,
    { person, shown, closed }: {
      person: DemoPerson;
      shown: { path: string; isUsed: boolean };
      closed(tab: Tab): void;
    },
  ) {
    this.#person = person;
    this.#app = app;
    this.#shown = shown;
    this.#socket = new WebSocket(`${address}/app/${app.key}?protocol=7&client=demo`);
    this.#socket.onmessage = ({ data }) => this.#take(JSON.parse(data));
    this.#socket.onerror = (event) => event.preventDefault();
    this.#socket.onclose = () => closed(this);
  }

  show(path: string, isUsed: boolean): void {
    this.#shown = { path, isUsed };
    this.#report();
  }

  close(): void {
    this.#socket.close();
  }

  #take({ event, channel, data }: { event: string; channel?: string; data?: string }): void {
    if (event === "pusher:ping") this.#send("pusher:pong", {});
    if (event === "pusher:connection_established") this.#subscribe(JSON.parse(data!).socket_id);
    if (event === "pusher_internal:subscription_succeeded" && channel === onlineChannel) {
      this.#report();
    }
  }

  #subscribe(socketId: string): void {
    const { id, options } = this.#person;
    const channelData = JSON.stringify({ user_id: id, user_info: { id, rollcall: options } });
    for (const channel of channelsOf(this.#person)) {
      const isPresence = channel.startsWith("presence-");
      const auth = isPresence && signChannel(this.#app, socketId, channel, channelData);
      this.#send("pusher:subscribe", {
        channel,
        ...auth && { auth, channel_data: channelData },
      });
    }
  }

  #report(): void {
    const { path, isUsed } = this.#shown;
    this.#send(reportedPageEvent, { path, device: this.#person.device }, onlineChannel);
    this.#send(reportedActivityEvent, { state: isUsed ? "active" : "idle" }, onlineChannel);
  }

  #send(event: string, data: object, channel?: string): void {
    if (this.#socket.readyState !== WebSocket.OPEN) return;
    this.#socket.send(JSON.stringify({ event, channel, data }));
  }
}

/** Those who work for the shop: they stay. */
const staff = [3, 12, 25].map(demoUser);
const isStaff = ({ id }: DemoPerson) => staff.some((one) => one.id === id);

function channelsOf(person: DemoPerson): string[] {
  return [onlineChannel, channels.orders, ...isStaff(person) ? [channels.support] : []];
}

/**
 * The people of a demo, from `begin` to `stop`: they come, open second tabs, read pages, leave tabs unused, and go,
 * as many at a time as in the demo's past.
 */
export class DemoCrowd {
  readonly #address: string;
  readonly #app: AppConfig;
  readonly #realtime: RealtimeServer;
  readonly #random = new Random(Date.now());
  readonly #online = new Map<string, { person: DemoPerson; tabs: Set<Tab> }>();
  #timer: ReturnType<typeof setInterval> | undefined;

  /**
   * @param address of the server's sockets, such as `ws://127.0.0.1:8000`.
   * @param realtime the server, to which the shop's own server sends events.
   */
  constructor(address: string, app: AppConfig, realtime: RealtimeServer) {
    this.#address = address;
    this.#app = app;
    this.#realtime = realtime;
  }

  begin(): void {
    this.#timer = setInterval(() => this.#tick(), tickMs);
    for (const person of staff) this.#come(person);
    this.#tick();
  }

  /** Closes all tabs, and opens no more. */
  stop(): void {
    clearInterval(this.#timer);
    for (const { tabs } of this.#online.values()) for (const tab of tabs) tab.close();
  }

  #tick(): void {
    const random = this.#random;
    const missing = this.#wanted() - this.#online.size;
    for (let come = 0; come < Math.min(missing - 3, mostAtOnce); come++) this.#come();
    if (random.happens(missing > 0 ? 0.35 : 0.06)) this.#come();
    if (random.happens(missing > 0 ? 0.06 : 0.35)) this.#go();
    if (random.happens(0.5)) this.#read();
    if (random.happens(0.12)) this.#publish(this.#order());
    if (random.happens(0.04)) this.#publish(this.#answer());
  }

  /** As many as usual, and a few more or fewer from second to second, so that the number moves. */
  #wanted(): number {
    const now = Date.now();
    const restless = 1 + 0.12 * Math.sin(now / 9_000) + 0.08 * Math.sin(now / 23_000);
    return Math.max(6, Math.round(expectedOnline(now, now) * restless));
  }

  #come(person = this.#anyPerson()): void {
    const random = this.#random;
    if (this.#online.has(person.id)) return;
    const tabs = new Set<Tab>();
    this.#online.set(person.id, { person, tabs });
    for (let tab = random.happens(0.2) ? 2 : 1; tab > 0; tab--) tabs.add(this.#open(person, tabs));
  }

  #anyPerson(): DemoPerson {
    const random = this.#random;
    return random.happens(guestShare)
      ? demoGuest(random.whole(0, knownGuests - 1))
      : demoUser(random.whole(0, shopUsers - 1));
  }

  #open(person: DemoPerson, tabs: Set<Tab>): Tab {
    const shown = {
      path: this.#random.pick(person.paths),
      isUsed: !this.#random.happens(unusedShare),
    };
    return new Tab(this.#address, this.#app, {
      person,
      shown,
      closed: (tab) => {
        tabs.delete(tab);
        if (tabs.size === 0) this.#online.delete(person.id);
      },
    });
  }

  #go(): void {
    const visitors = [...this.#online.values()].filter(({ person }) => !isStaff(person));
    if (visitors.length === 0) return;
    for (const tab of this.#random.pick(visitors).tabs) tab.close();
  }

  /** Someone goes on to another page, or leaves the tab for something else. */
  #read(): void {
    const random = this.#random;
    const readers = [...this.#online.values()].filter(({ tabs }) => tabs.size > 0);
    if (readers.length === 0) return;
    const { person, tabs } = random.pick(readers);
    random.pick([...tabs]).show(random.pick(person.paths), !random.happens(unusedShare));
  }

  #publish({ name, channel, data }: ShopEvent): void {
    const app = this.#realtime.appApi(this.#app.id);
    const body = JSON.stringify({ name, channels: [channel], data: JSON.stringify(data) });
    // A lost event does no harm: the next one follows soon.
    if (app) triggerEvent(app, body).catch(() => {});
  }

  #order(): ShopEvent {
    const data = { order: this.#random.whole(10_000, 99_999), euros: this.#random.whole(9, 240) };
    return { name: "order-placed", channel: channels.orders, data };
  }

  #answer(): ShopEvent {
    const data = { question: this.#random.whole(100, 999), minutes: this.#random.whole(1, 12) };
    return { name: "question-answered", channel: channels.support, data };
  }
}
