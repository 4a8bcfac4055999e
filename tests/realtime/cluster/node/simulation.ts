import assert from "node:assert/strict";
import { IgnoredMessages } from "@/realtime/cluster/messages/room_message.ts";
import { Node } from "@/realtime/cluster/node/node.ts";
import { NodeBrokers } from "@/realtime/cluster/node/node_broker.ts";
import { App } from "@/realtime/app.ts";
import { Unavailable } from "@/realtime/brokers/broker.ts";
import { departures } from "@/realtime/events/server_events.ts";
import { resolveOptions } from "@/realtime/options.ts";
import { asConnection, FakeConnection, strictListeners } from "../../doubles.ts";
import { ManualClock } from "../../manual_clock.ts";
import { MemoryState } from "../state/memory_state.ts";
import { MemoryLink, settle } from "./memory_link.ts";

const app = { id: "1", key: "key", secret: "secret" };
const room = "presence-room";
const publicChannel = "news";

/** In milliseconds. */
export const leaseMs = 500;
const heartbeatMs = 100;
const graceMs = 200;

/** A clock in the present: versions of rooms are times in microseconds. */
class Present extends ManualClock {
  override readonly date = (): number => 1_700_000_000_000 + this.now();
}

/** A server with its users. */
export class SimulatedServer {
  /** Undefined while it serves no app. */
  app: App | undefined;
  watcher: FakeConnection | undefined;
  readonly node: Node;
  readonly link: MemoryLink;
  readonly tabs: FakeConnection[] = [];
  /** The users whom the watcher sees, with the `user_info` of each. */
  readonly seen = new Map<string, unknown>();
  /** Users with a tab here since the last quiet moment, while others had no reason to drop this server. */
  steady = new Set<string>();
  /** For how long this server was partitioned while another was not or the data were not settled, since the last quiet moment. */
  cutMs = 0;
  readonly #makeApp: () => App;
  #opened = 0;

  constructor(readonly number: number, { clock, links, state }: ClusterSimulation) {
    const link = this.link = new MemoryLink();
    links.add(link);
    const shared = link.stateOf(state);
    const log = () => {};
    const ignored = new IgnoredMessages(({ message }) => assert.fail(message));
    this.node = new Node({
      state: shared,
      link,
      clock,
      number,
      leaseMs,
      heartbeatMs,
      log,
      totals: () => "{}",
      wasPlanned: () => false,
    });
    const listeners = strictListeners();
    const { make: broker } = new NodeBrokers({
      node: this.node,
      state: shared,
      link,
      topicOf: (room) => room,
      ignored,
    });
    const options = { apps: [app], clock, presenceGraceMs: graceMs, broker };
    this.#makeApp = () => new App(app, resolveOptions(options), listeners);
    this.serve();
  }

  /** Serves the app, unless it does. */
  serve(next: App | undefined = undefined): void {
    if (this.app) return;
    const app = this.app = next ?? this.#makeApp();
    this.watcher = this.#join(`watcher-${this.number}`, app);
  }

  /** Serves the app no more. @param isReplaced whether another one takes its place at once */
  remove(isReplaced: boolean): void {
    const next = isReplaced ? this.#makeApp() : undefined;
    this.app?.remove();
    this.app = this.watcher = undefined;
    this.tabs.length = 0;
    this.seen.clear();
    this.steady.clear();
    if (next) this.serve(next);
  }

  #join(userId: string, app: App): FakeConnection {
    const fake = new FakeConnection(`${this.number}.${this.#opened++}`, userId, app);
    app.opened(asConnection(fake));
    const info = JSON.stringify({ id: userId });
    app.hub.subscribe(asConnection(fake), room, { id: userId, info });
    return fake;
  }

  /** The users with a tab, the watcher included. */
  get users(): string[] {
    const watcher = this.watcher ? [this.watcher.userId] : [];
    return [...watcher, ...new Set(this.tabs.map(({ userId }) => userId))];
  }

  /** The members, as this server has them. */
  get members(): string[] {
    return (this.app?.hub.presence(room)?.members.ids() ?? []).toSorted();
  }

  /** How many connections it has in each channel. */
  get subscribers(): number[] {
    return [(this.watcher ? 1 : 0) + this.tabs.length, this.tabs.length];
  }

  open(userId: string): void {
    if (!this.app) return;
    const tab = this.#join(userId, this.app);
    this.app.hub.subscribe(asConnection(tab), publicChannel);
    this.tabs.push(tab);
  }

  /** The app's server asks this one to change a member; the answer may be that it cannot. */
  update(userId: string, status: number): void {
    const info = JSON.stringify({ id: userId, status });
    this.app?.updateMember(room, userId, { info }).catch((error) =>
      assert.ok(error instanceof Unavailable)
    );
  }

  close(index: number): void {
    const [fake] = this.tabs.splice(index % Math.max(this.tabs.length, 1), 1);
    if (!fake) return;
    fake.app.released(asConnection(fake), departures.closed);
    if (!this.users.includes(fake.userId)) this.steady.delete(fake.userId);
  }

  /** Applies what the watcher was sent, as a client does. @returns who left */
  follow(): string[] {
    const removed: string[] = [];
    for (const { event, data } of this.watcher?.frames.splice(0) ?? []) {
      if (event === "pusher_internal:subscription_succeeded") {
        for (const id of data.presence.ids) this.seen.set(id, data.presence.hash[id]);
      } else if (event === "pusher_internal:member_added") {
        assert.ok(!this.seen.has(data.user_id), `${data.user_id} was added twice`);
        this.seen.set(data.user_id, data.user_info);
      } else if (event === "rollcall:member_updated") {
        assert.ok(this.seen.has(data.user_id), `${data.user_id} was updated, and is no member`);
        this.seen.set(data.user_id, data.user_info);
      } else if (event === "pusher_internal:member_removed") {
        assert.ok(this.seen.delete(data.user_id), `${data.user_id} was removed twice`);
        removed.push(data.user_id);
      }
    }
    return removed;
  }

  /** Ends as a crash does. */
  kill(): void {
    this.link.end();
    this.node.stop();
    this.app?.stop();
  }
}

/** Servers over data in memory. */
export class ClusterSimulation {
  readonly clock = new Present();
  readonly links = new Set<MemoryLink>();
  readonly state: MemoryState;
  servers: SimulatedServer[] = [];
  /** The members by the log; undefined once its data were lost. */
  #logged: Set<string> | undefined = new Set();
  #started = 0;
  #takeOver?: () => void;

  constructor() {
    this.state = new MemoryState({
      leaseMs,
      mostReadAtOnce: 2,
      now: () => this.clock.date(),
      publish: (room, message) => {
        for (const link of this.links) link.receive(room, message);
      },
    });
  }

  async start(): Promise<void> {
    const server = new SimulatedServer(++this.#started, this);
    await server.node.start();
    await settle();
    this.servers.push(server);
  }

  /** @param afterMs how long users have to return elsewhere; absent: the server crashes */
  async kill(index: number, afterMs?: number): Promise<void> {
    if (this.servers.length < 2) return;
    const [server] = this.servers.splice(index % this.servers.length, 1);
    if (afterMs !== undefined) await server.node.exit(afterMs);
    server.kill();
    this.links.delete(server.link);
  }

  /** Redis loses everything. */
  loseAll(): void {
    this.#dataEnd();
    this.state.loseAll();
    this.#logged = undefined;
  }

  /** A replica follows no more from now on. */
  stopReplica(): void {
    this.#takeOver = this.state.copied();
  }

  /** The replica has the place of the master, and lacks what came since it stopped. */
  takeOver(): void {
    if (!this.#takeOver) return;
    this.#dataEnd();
    for (const { link } of this.servers) link.cut();
    this.#takeOver();
    this.#takeOver = undefined;
    this.#logged = undefined;
    for (const { link } of this.servers) link.mend();
  }

  /** No two data sets begin in the same millisecond. */
  #dataEnd(): void {
    this.clock.advance(1);
  }

  /** Lets time pass. */
  async wait(milliseconds: number): Promise<void> {
    for (let left = milliseconds; left > 0; left -= heartbeatMs) {
      const step = Math.min(left, heartbeatMs);
      const isReached = this.servers.some(({ link }) => link.isUp) || this.state.isRecovering;
      for (const server of this.servers) {
        // A heartbeat that fails is as one that was not sent.
        const isCut = !server.link.isUp || server.link.failing > 0;
        if (isCut && isReached) server.cutMs += step;
      }
      this.clock.advance(step);
      await settle();
      this.check();
    }
  }

  /** No user who stayed is removed from a list. */
  check(): void {
    for (const server of this.servers) {
      // Others drop it when its lease has ended, at the earliest a lease after its last heartbeat.
      if (server.cutMs >= leaseMs - 3 * heartbeatMs) server.steady.clear();
    }
    const steady = new Set(this.servers.flatMap((server) => [...server.steady]));
    for (const server of this.servers) {
      const removed = server.follow().filter((userId) => steady.has(userId));
      assert.deepEqual(
        removed,
        [],
        `server ${server.number} announced users who stayed as removed`,
      );
    }
  }

  /** Applies the log, as a receiver of webhooks does. */
  #readLog(truth: string[]): void {
    const entries = this.state.log.splice(0);
    const logged = this.#logged;
    if (!logged) return;
    for (const { name, user } of entries) {
      if (name === "member_added") {
        assert.ok(!logged.has(user!), `${user} was logged as added twice`);
        logged.add(user!);
      } else if (name === "member_removed") {
        assert.ok(logged.delete(user!), `${user} was logged as removed twice`);
      }
    }
    assert.deepEqual([...logged].toSorted(), truth, "the members by the log");
  }

  /** All connections work, and time passes. Then all servers have the same list, which is true. */
  async rest(): Promise<void> {
    for (const { link } of this.servers) {
      link.mend();
      link.isLate = false;
      link.failing = link.refusing = 0;
      link.isScanningSlowly = false;
    }
    await settle();
    await this.wait(3 * leaseMs + graceMs + 4 * heartbeatMs);
    const truth = [...new Set(this.servers.flatMap(({ users }) => users))].toSorted();
    const members = this.state.memberIds(`${app.id}:${room}`);
    assert.deepEqual(members.toSorted(), truth, "the shared members");
    const infos = this.state.memberInfos(`${app.id}:${room}`);
    this.#readLog(truth);
    const sizes = await this.state.sizes([room, publicChannel].map((name) => `${app.id}:${name}`));
    const counts = sizes.map((_, index) =>
      this.servers.reduce((sum, { subscribers }) => sum + subscribers[index], 0)
    );
    assert.deepEqual(sizes.map(({ subscribers }) => subscribers), counts, "the subscribers");
    for (const server of this.servers) {
      server.cutMs = 0;
      if (!server.app) continue;
      assert.deepEqual(server.members, truth, `the list of server ${server.number}`);
      const byFrames = new Map([...server.seen].toSorted());
      assert.deepEqual(byFrames, infos, `frames of server ${server.number}`);
      server.steady = new Set(server.users);
    }
  }

  end(): void {
    for (const server of this.servers) server.kill();
    assert.equal(this.clock.timers, 0, "timers are left");
  }
}
