import Echo from "laravel-echo";
import type { Channel } from "pusher-js";
import type { AppConfig } from "../../realtime/app_config.ts";
import { signChannel } from "../../realtime/protocol/signature.ts";
import { Pusher } from "../../tests/fixtures/pusher_js.ts";

/** The server to connect to. */
export interface Address {
  host: string;
  port: number;
  secure: boolean;
}

/** An open page of a demo user. */
interface Tab {
  isOnline: boolean;
  close(): void;
}

/** A user who joins, stays a while, perhaps with two tabs, leaves, and comes back. */
export class DemoUser {
  readonly #id: string;
  #tabs: Tab[] = [];
  #timer?: ReturnType<typeof setTimeout>;

  constructor(readonly index: number, readonly app: AppConfig, readonly address: Address) {
    this.#id = `demo-${index + 1}`;
  }

  /** How many tabs the server has let in. */
  get tabsOnline(): number {
    return this.#tabs.filter((tab) => tab.isOnline).length;
  }

  /** Starts to join and leave; users arrive over the first seconds. */
  live(): void {
    this.#later(Math.random() * 5_000, () => this.#come());
  }

  /** Closes every tab and stays away. */
  leave(): void {
    clearTimeout(this.#timer);
    for (const tab of this.#tabs) tab.close();
    this.#tabs = [];
  }

  #come(): void {
    const tabs = Math.random() < 0.25 ? 2 : 1;
    for (let tab = 0; tab < tabs; tab++) this.#tabs.push(this.#open());
    this.#later(10_000 + Math.random() * 50_000, () => this.#go());
  }

  #go(): void {
    this.leave();
    this.#later(2_000 + Math.random() * 10_000, () => this.#come());
  }

  #later(milliseconds: number, what: () => void): void {
    this.#timer = setTimeout(what, milliseconds);
  }

  /** Every other user has Laravel Echo, the rest plain pusher-js. */
  #open(): Tab {
    const client = signingClient(this.app, this.address, {
      user_id: this.#id,
      user_info: { id: this.#id },
    });
    const tab = { isOnline: false, close: () => client.disconnect() };
    const joined = (channel: Channel) =>
      channel.bind("pusher:subscription_succeeded", () => tab.isOnline = true);
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
