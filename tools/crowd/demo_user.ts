import Echo from "laravel-echo";
import type { Channel } from "pusher-js";
import type { AppConfig } from "@/realtime/app_config.ts";
import { signChannel } from "@/realtime/protocol/signature.ts";
import { Pusher } from "@/tests/fixtures/pusher_js.ts";
import { Random } from "@/server/demo/random.ts";
import { crowdPrefix } from "@/shared/connect.ts";
import { demoUser } from "@/server/demo/demo_people.ts";

/** The server to connect to. */
export interface Address {
  host: string;
  port: number;
  secure: boolean;
}

/** An open page of a demo user. */
interface Tab {
  isOnline: boolean;
  /** Reports to admins which page the tab shows, and whether it is used. */
  show(path: string, isUsed: boolean): void;
  close(): void;
}

/** The seed of everything that demo users do by chance. */
const seed = 7;

/** The time between two rushes of visitors, in milliseconds. */
const waveMs = 600_000;

/** How much longer than in a rush users stay away between two. */
const quietest = 8;

/**
 * A user with a name who joins, reads a few pages, perhaps in two tabs, leaves, and comes back, more often
 * during a rush. What a user does depends only on the number of the user and the time since the start.
 */
export class DemoUser {
  readonly #person: ReturnType<typeof crowdUser>;
  readonly #random: Random;
  #tabs: Tab[] = [];
  #timer?: ReturnType<typeof setTimeout>;
  #elapsedMs = 0;

  constructor(readonly index: number, readonly app: AppConfig, readonly address: Address) {
    this.#person = crowdUser(index);
    this.#random = new Random(seed + index * 7_919);
  }

  /** How many tabs the server has let in. */
  get tabsOnline(): number {
    return this.#tabs.filter((tab) => tab.isOnline).length;
  }

  /** Starts to join and leave; users arrive over the first seconds. */
  live(): void {
    this.#later(this.#random.between(0, 5_000), () => this.#come());
  }

  /** Closes every tab and stays away. */
  leave(): void {
    clearTimeout(this.#timer);
    for (const tab of this.#tabs) tab.close();
    this.#tabs = [];
  }

  #come(): void {
    const tabs = this.#random.happens(0.25) ? 2 : 1;
    for (let tab = 0; tab < tabs; tab++) this.#tabs.push(this.#open());
    this.#read(this.#random.whole(1, 5));
  }

  /** Reads some more pages, one after the other. */
  #read(pages: number): void {
    this.#later(this.#random.between(8_000, 40_000), () => {
      if (pages === 1) return this.#go();
      const tab = this.#random.pick(this.#tabs);
      tab.show(this.#random.pick(this.#person.paths), !this.#random.happens(0.3));
      this.#read(pages - 1);
    });
  }

  #go(): void {
    this.leave();
    const away = this.#random.between(2_000, 12_000) * awayFactor(this.#elapsedMs);
    this.#later(away, () => this.#come());
  }

  #later(milliseconds: number, what: () => void): void {
    this.#timer = setTimeout(() => {
      this.#elapsedMs += milliseconds;
      what();
    }, milliseconds);
  }

  /** Every other user has Laravel Echo, the rest plain pusher-js. */
  #open(): Tab {
    const { id, options, device, paths } = this.#person;
    const client = signingClient(this.app, this.address, {
      user_id: id,
      user_info: { id, rollcall: options },
    });
    let path = this.#random.pick(paths);
    let state = "active";
    let report = () => {};
    const show = (next: string, isUsed: boolean) => {
      path = next;
      state = isUsed ? "active" : "idle";
      if (tab.isOnline) report();
    };
    const tab = { isOnline: false, show, close: () => client.disconnect() };
    const joined = (channel: Channel) => {
      report = () => {
        channel.trigger("client-rollcall-page", { path, device });
        channel.trigger("client-rollcall-activity", { state });
      };
      channel.bind("pusher:subscription_succeeded", () => {
        tab.isOnline = true;
        report();
      });
    };
    client.connection.bind("unavailable", () => tab.isOnline = false);
    client.connection.bind("connecting", () => tab.isOnline = false);
    if (this.index % 2 === 0) joined(client.subscribe("presence-chart"));
    else {
      const echo = new Echo({ broadcaster: "pusher", key: this.app.key, client });
      joined(echo.join("chart").subscription);
    }
    return tab;
  }
}

/** The user of a number, with an id by which Rollcall knows a trial. */
export function crowdUser(index: number): ReturnType<typeof demoUser> {
  return { ...demoUser(index), id: `${crowdPrefix}${index + 1}` };
}

/** How much longer than in a rush users stay away, at a time since the start. */
export function awayFactor(elapsedMs: number): number {
  const calm = (1 - Math.cos((2 * Math.PI * elapsedMs) / waveMs)) / 2;
  return 1 + (quietest - 1) * calm;
}

/** A pusher-js client that signs for itself, as the member given: it knows the app's secret. */
export function signingClient(
  app: AppConfig,
  { host, port, secure }: Address,
  member: { user_id: string | number; user_info?: unknown },
): Pusher {
  return new Pusher(app.key, {
    cluster: "self",
    wsHost: host,
    wsPort: port,
    wssPort: port,
    forceTLS: secure,
    enabledTransports: [secure ? "wss" : "ws"],
    disableStats: true,
    channelAuthorization: {
      transport: "ajax",
      endpoint: "",
      customHandler: ({ socketId, channelName }, answer) => {
        const channelData = JSON.stringify(member);
        const auth = signChannel(app, socketId, channelName, channelData);
        answer(null, { auth, channel_data: channelData });
      },
    },
  });
}
