import type { SiteAuthorization } from "@/shared/site.ts";

/** The channel of the users online, as the reporters of the client package see one. */
export interface ReportedChannel {
  name: string;
  subscribed: boolean;
  /** Where a frozen tab finds the socket. */
  pusher: { connection: { connection: { transport: { socket: WebSocket | undefined } } } };
  trigger(event: string, data: unknown): void;
  bind(event: string, callback: () => void): void;
}

/** What a visit needs of its page. */
export interface SitePage {
  /** The address of the tag's script. */
  script: string;
  key: string;
  /** Starts what reports page and activity in the channel. */
  report(channel: ReportedChannel): void;
  random(): number;
}

/** Waits become no longer than this, in milliseconds. */
const longestWaitMs = 120_000;

/**
 * How long to wait before another attempt to connect, in milliseconds: after a restart of the server all pages
 * have lost their connections together, and must not come back together.
 *
 * @param failures attempts since the last that succeeded. @param random from 0 to 1.
 */
export function waitMs(failures: number, random: number): number {
  return Math.min(longestWaitMs, 2_000 * 2 ** failures) * (0.2 + 0.8 * random);
}

/** Attempts whose request the browser refused; then the page's origin is none of the tag's. */
const mostRefusals = 8;

/** A code with which a socket is closed for good. */
const forGood = 4_000;

const onlineChannel = "presence-chart";
const stored = "rollcall-guest";

/** Private windows and frames may have no storage: then each page is a guest of its own. */
function storage(guest?: string): string {
  try {
    if (guest) sessionStorage.setItem(stored, guest);
    return sessionStorage.getItem(stored) ?? "";
  } catch {
    return "";
  }
}

/** Writes the number where the page asks for it, if it differs; nothing while no number is known. */
function show(count: string): void {
  for (const element of document.querySelectorAll("[data-rollcall-count]")) {
    const text = element.getAttribute("data-rollcall-count") || "{count} here now";
    const shown = count && text.replace("{count}", count);
    if (element.textContent !== shown) element.textContent = shown;
  }
}

/** How long a connection may take to open, and to answer when it is asked, in milliseconds. */
const answerMs = 30_000;

/** What the events have that a visit reads, each some of it. */
interface SentData {
  socket_id: string;
  activity_timeout: number;
  users: number;
}

/** Counts the visitor of a page over one connection after the other. */
class Visit {
  readonly #page: SitePage;
  readonly #bound: (() => void)[] = [];
  readonly #channel: ReportedChannel;
  #socket: WebSocket | undefined;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #silentMs = 120_000;
  /** Attempts to connect since the last that succeeded. */
  #failures = 0;
  /** Requests one after the other that the browser refused. */
  #refusals = 0;
  #count = "";

  constructor(page: SitePage) {
    this.#page = page;
    this.#channel = {
      name: onlineChannel,
      subscribed: false,
      pusher: { connection: { connection: { transport: { socket: undefined } } } },
      trigger: (event, data) => this.#send(event, data, onlineChannel),
      bind: (_, callback) => this.#bound.push(callback),
    };
  }

  start(): void {
    this.#page.report(this.#channel);
    // Elements that the page adds later.
    setInterval(() => show(this.#count), 1_000);
    this.#connect();
  }

  #connect(): void {
    const { key, script } = this.#page;
    const address = new URL("..", script).href.replace(/^http/, "ws");
    const socket = this.#socket = new WebSocket(`${address}app/${key}?protocol=7&client=site`);
    this.#channel.pusher.connection.connection.transport.socket = socket;
    this.#later(() => this.#lost(0), answerMs);
    socket.onclose = ({ code, reason }) => this.#lost(code, reason);
    socket.onmessage = ({ data: text }) => {
      this.#heard();
      const { event, data } = JSON.parse(text);
      this.#received(event, typeof data === "string" ? JSON.parse(data) : data);
    };
  }

  #received(event: string, data: SentData): void {
    if (event === "pusher:ping") this.#send("pusher:pong", {});
    if (event === "pusher:connection_established") {
      this.#silentMs = data.activity_timeout * 1_000;
      this.#join(data.socket_id);
    }
    if (event === "pusher:subscription_error") this.#lost(0);
    if (event === "pusher_internal:subscription_succeeded") {
      this.#failures = 0;
      this.#channel.subscribed = true;
      for (const callback of this.#bound) callback();
    }
    if (event === "rollcall:count") {
      this.#count = data.users.toLocaleString();
      show(this.#count);
    }
  }

  /** Asks to be signed for, and joins. */
  async #join(id: string): Promise<void> {
    const socket = this.#socket;
    const body = new URLSearchParams({ socket_id: id, guest: storage() });
    try {
      const address = this.#page.script.replace(/\.js(\?.*)?$/, "/auth");
      const answer = await fetch(address, { method: "POST", body, credentials: "omit" });
      this.#refusals = 0;
      const data: SiteAuthorization & { message: string } = await answer.json();
      if (this.#socket !== socket) return;
      if (!answer.ok) {
        return this.#lost(/40[34]/.test(`${answer.status}`) ? forGood : 0, data.message);
      }
      storage(data.guest);
      const { auth, channel_data } = data;
      this.#send("pusher:subscribe", { channel: onlineChannel, auth, channel_data });
    } catch {
      if (this.#socket !== socket) return;
      const isRefused = ++this.#refusals >= mostRefusals;
      this.#lost(isRefused ? forGood : 0, `Is ${location.origin} an origin of the site tag?`);
    }
  }

  /** @param code of the socket's close; those from 4000 to 4099 are for good, by the Pusher protocol. */
  #lost(code: number, reason?: string): void {
    const socket = this.#socket;
    if (socket) socket.onclose = socket.onmessage = null;
    socket?.close();
    this.#socket = undefined;
    this.#channel.subscribed = false;
    this.#count = "";
    show("");
    clearTimeout(this.#timer);
    if (code >= forGood && code < 4_100) return console.warn(`Rollcall: ${reason}`);
    this.#later(() => this.#connect(), waitMs(this.#failures++, this.#page.random()));
  }

  /** A connection that is silent is asked, and given up when it does not answer. */
  #heard(): void {
    this.#later(() => {
      this.#send("pusher:ping", {});
      this.#later(() => this.#lost(0), answerMs);
    }, this.#silentMs);
  }

  #send(event: string, data: unknown, channel?: string): void {
    const socket = this.#socket;
    if (socket?.readyState === 1) socket.send(JSON.stringify({ event, data, channel }));
  }

  #later(work: () => void, ms: number): void {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(work, ms);
  }
}

/** Has the visitor of a page counted, from now to the end of the page, and shows the number. */
export function visit(page: SitePage): void {
  new Visit(page).start();
}
