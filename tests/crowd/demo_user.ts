import Echo from "laravel-echo";
import type { Options } from "pusher-js";
import type { App } from "../../realtime/app.ts";
import { signChannel } from "../../realtime/signature.ts";
import { Pusher } from "../fixtures/pusher_js.ts";

/** Where the server is. */
export interface Address {
  host: string;
  port: number;
  secure: boolean;
}

/** An open page of a demo user: something that can be closed. */
interface Tab {
  close(): void;
}

/** Somebody who comes, stays a while, perhaps with two tabs, goes, and comes again. */
export class DemoUser {
  readonly #id: string;
  #tabs: Tab[] = [];
  #timer?: ReturnType<typeof setTimeout>;

  constructor(readonly index: number, readonly app: App, readonly address: Address) {
    this.#id = `demo-${index + 1}`;
  }

  get isOnline(): boolean {
    return this.#tabs.length > 0;
  }

  get tabs(): number {
    return this.#tabs.length;
  }

  /** Starts coming and going; newcomers arrive over the first seconds. */
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
    const options = clientOptions(this.app, this.address, this.#id);
    if (this.index % 2 === 0) {
      const pusher = new Pusher(this.app.key, options);
      pusher.subscribe("presence-chart");
      return { close: () => pusher.disconnect() };
    }
    const client = new Pusher(this.app.key, options);
    const echo = new Echo({ broadcaster: "pusher", key: this.app.key, client });
    echo.join("chart");
    return { close: () => echo.disconnect() };
  }
}

function clientOptions(app: App, { host, port, secure }: Address, userId: string): Options {
  return {
    cluster: "self",
    wsHost: host,
    wsPort: port,
    wssPort: port,
    forceTLS: secure,
    enabledTransports: ["ws", "wss"],
    disableStats: true,
    channelAuthorization: {
      transport: "ajax",
      endpoint: "",
      customHandler: ({ socketId, channelName }, answer) => {
        const channelData = JSON.stringify({ user_id: userId, user_info: { id: userId } });
        const auth = signChannel(app, socketId, channelName, channelData);
        answer(null, { auth, channel_data: channelData });
      },
    },
  };
}
