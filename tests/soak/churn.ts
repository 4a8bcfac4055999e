import fc from "fast-check";
import type { AppConfig } from "@/realtime/server.ts";
import { HttpVisitor } from "../fixtures/http_visitor.ts";
import { ada } from "../fixtures/people.ts";
import { apps } from "../fuzz/apps.ts";
import { type ApiCall, apiCall, rightCall, sendCall } from "../fuzz/api_calls.ts";
import { play, sequence } from "../fuzz/frame_sequences.ts";
import { sendUpgrade, upgrade } from "../fuzz/upgrades.ts";
import { WebSocketPeer } from "../fuzz/websocket_peer.ts";
import { sendBytes, wireBytes } from "../fuzz/wire.ts";
import { endVisit, SlowReader, visit } from "./peers.ts";

/** How many visitors there are at once. */
const present = 100;

/** An action that is repeated at its own pace; `number` rises by one. */
interface Habit {
  name: string;
  everyMs: number;
  act(number: number): Promise<unknown>;
}

/** All that clients do to a server, in a constant mix, so that only time changes. */
export class Churn {
  /** How often each action has run. */
  readonly counts: Record<string, number> = {};
  readonly #visits: { peer: WebSocketPeer; number: number }[] = [];
  readonly #stopping = new AbortController();

  constructor(
    readonly port: number,
    /** The app of the pages. */
    readonly pusherApp: AppConfig,
    /** The user who is signed in to the pages. */
    readonly admin: HttpVisitor,
  ) {}

  /** Runs until it is stopped; then every client disconnects. */
  async run(): Promise<void> {
    await Promise.all(this.#habits().map((habit) => this.#follow(habit)));
    for (const { peer, number } of this.#visits) await endVisit(peer, number);
  }

  stop(): void {
    this.#stopping.abort();
  }

  async #follow({ name, everyMs, act }: Habit): Promise<void> {
    const { signal } = this.#stopping;
    for (let number = 0; !signal.aborted; number++) {
      const pause = paused(everyMs, signal);
      await act(number).catch((error) => {
        throw new Error(`${name}, the ${number}th time`, { cause: error });
      });
      this.counts[name] = number + 1;
      await pause;
    }
  }

  #habits(): Habit[] {
    const { port } = this;
    return [
      { name: "visits", everyMs: 40, act: (number) => this.#visit(number) },
      { name: "events", everyMs: 40, act: (number) => sendCall(port, eventTo(number)) },
      { name: "odd calls", everyMs: 150, act: (seed) => sendCall(port, any(apiCall, seed)) },
      { name: "odd frames", everyMs: 400, act: (seed) => play(port, any(sequence, seed)) },
      { name: "odd bytes", everyMs: 200, act: (seed) => sendBytes(port, any(wireBytes, seed)) },
      { name: "odd upgrades", everyMs: 200, act: (seed) => sendUpgrade(port, any(upgrade, seed)) },
      { name: "slow readers", everyMs: 5_000, act: () => this.#readSlowly() },
      { name: "pages", everyMs: 100, act: () => this.#look() },
      { name: "sign-ins", everyMs: 2_000, act: () => this.#signInAndOut() },
    ];
  }

  async #visit(number: number): Promise<void> {
    this.#visits.push({ peer: await visit(this.port, number), number });
    if (this.#visits.length <= present) return;
    const [longest] = this.#visits.splice(0, 1);
    await endVisit(longest.peer, longest.number);
  }

  /** A client that reads nothing until its send buffer on the server is full, and beyond. */
  async #readSlowly(): Promise<void> {
    using _reader = await SlowReader.join(this.port, apps[0].key, "flood");
    const batch = Array.from({ length: 10 }, () => floodEvent);
    for (let count = 0; count < 80; count++) {
      await sendCall(this.port, rightCall("batch_events", { batch }));
    }
  }

  /** A page with the number, whose client is let into its channel and leaves. */
  async #look(): Promise<void> {
    await this.admin.get("/admin/online");
    await using peer = await WebSocketPeer.connect(this.port, this.pusherApp.key);
    const asked = new URLSearchParams({
      socket_id: peer.socketId ?? "",
      channel_name: "presence-chart",
    });
    const headers = { "x-csrf-token": this.admin.csrfToken };
    const { text } = await this.admin.send("POST", "/broadcasting/auth", asked, headers);
    const data = { channel: "presence-chart", ...JSON.parse(text) };
    await peer.send(JSON.stringify({ event: "pusher:subscribe", data }));
    await peer.settled();
  }

  async #signInAndOut(): Promise<void> {
    const visitor = new HttpVisitor(this.admin.origin);
    await visitor.signIn(ada);
    await visitor.submit("/sign-out", {});
  }
}

const floodEvent = { name: "flood", channel: "flood", data: "x".repeat(10_000) };

/** Alternates between occupied, vacant and cache channels. */
function eventTo(number: number): ApiCall {
  const channels = [
    "lobby",
    `vacant-${number}`,
    `cache-${number}`,
    `presence-group-${number >> 2}`,
  ];
  const channel = channels[number % channels.length];
  return rightCall("events", { name: "news", channel, data: "x".repeat(200) });
}

/** One of several, the same for the same seed. */
function any<T>(arbitrary: fc.Arbitrary<T>, seed: number): T {
  return fc.sample(arbitrary, { numRuns: 1, seed })[0];
}

/** Resolves after this many milliseconds, or when the run ends. */
async function paused(milliseconds: number, signal: AbortSignal): Promise<void> {
  if (signal.aborted) return;
  await new Promise<void>((resolve) => {
    const end = () => {
      clearTimeout(timer);
      signal.removeEventListener("abort", end);
      resolve();
    };
    const timer = setTimeout(end, milliseconds);
    signal.addEventListener("abort", end);
  });
}
