import { z } from "zod";
import {
  type Bounds,
  type Ending,
  goneAfter,
  keptWhileFrozenMs,
  lostWhenFrozenMs,
} from "../bounds.ts";
import { closes } from "@/realtime/protocol/close_codes.ts";
import type { Server } from "../installation/server.ts";
import { EventOrder } from "../truth/views.ts";
import { recoveryMs } from "../truth/disturbances.ts";
import { promises, type Violation } from "../truth/promises.ts";
import type { Disturbance, SentChange, SentList, Visit } from "../truth/records.ts";
import type { History, Measured } from "../truth/verdicts.ts";
import type { Tab } from "./tab.ts";

const { code, reason } = closes.sentAway;
const sentAwayReason = `${code} ${reason}`;
/** How a client is closed that the server takes for dead; pusher-js does not say which code it was. */
const unanswered = /^1001 No response|^a code below 4000/;
/** After how many leases a server that alone is without Redis begins to close its connections. */
const leasesUntilSentAway = 2.7;

/** What a new connection is sent by a server that sends its clients away. */
const refusal = z.object({
  code: z.literal(closes.sendingAway.code),
  message: z.literal(closes.sendingAway.reason),
});

/** What happened since the last moment at which nothing was on its way, as the tool knows it. */
export class Witness {
  /** Called with each violation at once. */
  onViolation: (violation: Violation) => void = () => {};
  /** Frames that clients received, over all time. */
  frames = 0;
  /** Events that clients received, over all time. */
  events = 0;
  /** Connections that servers closed, over all time. */
  closes = 0;
  /** Connections that servers closed because they alone were without Redis, over all time. */
  sentAway = 0;
  readonly orders = new Map<string, EventOrder>();
  readonly disturbances: Disturbance[] = [];
  readonly bounds: Bounds;
  #from = performance.now();
  #visits: Visit[] = [];
  readonly #closed: { server: Server; tab: string; reason: string }[] = [];
  #changes: SentChange[] = [];
  #lists: SentList[] = [];
  /** How soon clients were sent away, since the last quiet moment. */
  measured: Measured[] = [];
  readonly #measuredCuts = new WeakSet<Disturbance>();

  constructor(bounds: Bounds) {
    this.bounds = bounds;
  }

  asked(visit: Visit): void {
    this.#visits.push(visit);
  }

  changed(change: SentChange): void {
    this.frames++;
    this.#changes.push(change);
  }

  listed(list: SentList): void {
    this.frames++;
    this.#lists.push(list);
  }

  published(tab: Tab, channel: string, id: string): void {
    this.frames++;
    this.events++;
    let order = this.orders.get(channel);
    if (!order) this.orders.set(channel, order = new EventOrder());
    const problem = order.received(tab.connection, id);
    if (problem) this.violation(promises.events, `in ${channel}, a client ${problem}`, tab.name);
  }

  /** A frame that no client should be sent while all works. */
  unexpected({ name, process, server }: Tab, text: string, data: unknown): void {
    if (server?.state !== "running") return;
    if (refusal.safeParse(data).success && this.#mayBePartitioned(server, process)) return;
    this.violation(promises.frames, text, name);
  }

  /** A server closed the connection of a tab that was in its rooms. */
  closed(tab: Tab, server: Server | undefined, reason: string): void {
    this.closes++;
    if (!server || server.state !== "running") return;
    // What the process before had sent may have been held up.
    if (tab.serverNumber !== server.number) return;
    const now = performance.now();
    const { slackMs } = this.bounds;
    const isSentAway = reason === sentAwayReason;
    if (isSentAway) this.#noteSentAway(server, now);
    const since = now - slackMs - this.#lateness(tab.process);
    const isDisturbed = isSentAway && this.#mayBePartitioned(server, tab.process) ||
      unanswered.test(reason) && this.#mayMissSigns(server, tab.process) ||
      this.disturbances.some((one) =>
        one.server === server.name && one.cutsClients && one.until > since
      );
    // Its end may become known only now.
    if (!isDisturbed) this.#closed.push({ server, tab: tab.name, reason });
    setTimeout(() => {
      for (const { server, tab, reason } of this.#closed.splice(0)) {
        if (server.state === "running") {
          this.violation(promises.connections, `${server.name} closed with ${reason}`, tab);
        }
      }
    }, 500);
  }

  /** Measures the first of each cut, unless another fault can delay it. */
  #noteSentAway({ name }: Server, now: number): void {
    this.sentAway++;
    const isOwn = (one: Disturbance) => one.server === name && one.mayEndLease;
    const cut = this.disturbances.find((one) => isOwn(one) && one.until > now);
    if (!cut || this.#measuredCuts.has(cut)) return;
    this.#measuredCuts.add(cut);
    if (this.disturbances.some((one) => one !== cut && one.until > cut.from)) return;
    const boundMs = leasesUntilSentAway * this.bounds.leaseMs + this.bounds.slackMs;
    this.measured.push({ kind: "sent away, without Redis", ms: now - cut.from, boundMs });
  }

  /** Whether a server may take it that it alone is without Redis. */
  #mayBePartitioned({ name }: Server, process: string | undefined): boolean {
    const { heartbeatMs, slackMs } = this.bounds;
    // It notices with a heartbeat that Redis is back.
    const since = performance.now() - recoveryMs - heartbeatMs - slackMs - this.#lateness(process);
    return this.disturbances.some((one) =>
      one.server === name && one.mayEndLease && one.until > since
    );
  }

  /** Whether a server may have waited in vain for a sign of life of a client that runs. */
  #mayMissSigns({ name }: Server, process: string | undefined): boolean {
    const now = performance.now();
    const { slackMs } = this.bounds;
    const since = now - lostWhenFrozenMs - slackMs - this.#lateness(process);
    const heldMs = this.disturbances.filter((one) =>
      one.holdsSigns && one.until > since &&
      (one.process === undefined ? one.server === name : one.process === process)
    ).reduce((sum, { from, until }) => sum + Math.min(until, now) - from, 0);
    // The sign may have been on its way before.
    return heldMs > keptWhileFrozenMs - slackMs;
  }

  /** How late clients of a process may receive now what they were sent, in milliseconds. */
  #lateness(process: string | undefined): number {
    if (process === undefined) return 0;
    const now = performance.now();
    const { slackMs } = this.bounds;
    const from = this.disturbances
      .filter((one) => one.process === process && one.until + slackMs > now)
      .map((one) => now - one.from);
    return Math.max(0, ...from);
  }

  /** A server ends: it does not tell the others any more of users who have left it just now. */
  serverEnds(name: string, ending: Ending): void {
    const at = performance.now();
    const { graceMs, slackMs } = this.bounds;
    for (const visit of this.#visits) {
      const { endedAt = 0 } = visit;
      const untoldMs = visit.ending === "client frozen"
        ? goneAfter("client frozen", this.bounds) - slackMs
        : graceMs;
      if (visit.server !== name || endedAt < at - untoldMs - 1_000) continue;
      visit.serverEnd = { at, ending };
    }
  }

  /** @param text the same for all that it happens to; see {@link Violation} */
  violation(promise: string, text: string, who?: string): void {
    this.onViolation({ promise, text, who });
  }

  /** Something holds events up from now on. @returns ends it */
  disturb(what: Omit<Disturbance, "from" | "until">): () => void {
    const disturbance: Disturbance = { ...what, from: performance.now(), until: Infinity };
    this.disturbances.push(disturbance);
    return () => disturbance.until = performance.now();
  }

  /** What a server's start needs and was away at some time since then, or is: names of faults. */
  awayFor(name: string, since: number): string[] {
    return this.disturbances.filter((one) =>
      one.until >= since && (one.server === undefined || one.server === name) &&
      (one.isOfDatabase || one.server === undefined || one.mayEndLease) &&
      one.process === undefined
    ).map((one) => one.name);
  }

  /** Who is in a room now. */
  present(room: string): Set<string> {
    const there = this.#visits.filter((visit) =>
      visit.room === room && visit.joinedAt !== undefined && visit.endedAt === undefined
    );
    return new Set(there.map(({ user }) => user));
  }

  get history(): History {
    return {
      from: this.#from,
      visits: this.#visits,
      disturbances: this.disturbances.filter(({ isOfDatabase }) => !isOfDatabase),
      changes: this.#changes,
      lists: this.#lists,
    };
  }

  /** Nothing is on its way: what is over by now matters no more. */
  begin(): void {
    this.#from = performance.now();
    this.#visits = this.#visits.filter(({ endedAt }) => endedAt === undefined);
    this.#changes = [];
    this.#lists = [];
    this.measured = [];
    for (const order of this.orders.values()) order.clear();
    const open = this.disturbances.filter(({ until }) => until === Infinity);
    this.disturbances.splice(0, this.disturbances.length, ...open);
  }
}
