import assert from "node:assert/strict";
import { DatabaseSync } from "node:sqlite";
import { describe, it } from "@std/testing/bdd";
import { signChannel } from "@/realtime/protocol/signature.ts";
import { serverNumberOf } from "@/realtime/protocol/socket_id.ts";
import { sqlitePath } from "@/server/database/sqlite_dialect.ts";
import { until } from "../../fixtures/eventually.ts";
import { reservePort } from "../../fixtures/reserved_port.ts";
import { Rollcall } from "../../fixtures/rollcall.ts";
import { withTimeout } from "../../fixtures/with_timeout.ts";
import { childrenOf, roleOf } from "../../installations/installation.ts";

const app = { id: "1", key: "a-key-of-the-tests", secret: "a-secret-of-the-tests-alone" };
const channel = "presence-chart";
const timeoutMs = 180_000;

/** A user online, and the list that the user's page makes of what it is sent. */
class Member {
  readonly ids = new Set<string>();
  /** Joins and leaves that came after the list. */
  readonly changes: string[] = [];
  readonly #connected = Promise.withResolvers<void>();
  readonly #joined = Promise.withResolvers<void>();
  readonly #closed = Promise.withResolvers<void>();
  socketId = "";

  private constructor(readonly id: string, readonly socket: WebSocket) {
    socket.onmessage = ({ data }) => this.#received(JSON.parse(data));
    socket.onclose = () => {
      for (const each of [this.#connected, this.#joined]) each.reject(new Error("It was closed"));
      this.#closed.resolve();
    };
    for (const { promise } of [this.#connected, this.#joined]) promise.catch(() => {});
  }

  static async connect({ origin }: Rollcall, id: string): Promise<Member> {
    const address = `${origin.replace(/^http/, "ws")}/app/${app.key}?protocol=7`;
    const member = new Member(id, new WebSocket(address));
    await withTimeout(member.#connected.promise, `${id} had connected`, timeoutMs);
    return member;
  }

  async join(): Promise<void> {
    const channel_data = JSON.stringify({ user_id: this.id, user_info: { id: this.id } });
    const auth = signChannel(app, this.socketId, channel, channel_data);
    const data = { channel, auth, channel_data };
    this.socket.send(JSON.stringify({ event: "pusher:subscribe", data }));
    await withTimeout(this.#joined.promise, `${this.id} had joined`, timeoutMs);
  }

  get server(): number {
    return serverNumberOf(this.socketId);
  }

  get isClosed(): boolean {
    return this.socket.readyState === WebSocket.CLOSED;
  }

  get list(): string {
    return [...this.ids].toSorted().join();
  }

  async close(): Promise<void> {
    this.socket.close();
    await withTimeout(this.#closed.promise, `${this.id} had closed`, timeoutMs);
  }

  #received({ event, data: text }: { event: string; data?: string }): void {
    const data = text === undefined ? undefined : JSON.parse(text);
    if (event === "pusher:connection_established") {
      this.socketId = data.socket_id;
      this.#connected.resolve();
    } else if (event === "pusher_internal:subscription_succeeded") {
      for (const id of data.presence.ids) this.ids.add(id);
      this.#joined.resolve();
    } else if (event === "pusher_internal:member_added") {
      this.ids.add(data.user_id);
      this.changes.push(`+${data.user_id}`);
    } else if (event === "pusher_internal:member_removed") {
      this.ids.delete(data.user_id);
      this.changes.push(`-${data.user_id}`);
    }
  }
}

/** Two workers with nothing beside them. */
class TwoWorkers implements AsyncDisposable {
  readonly #members: Member[] = [];
  /** The numbers of the workers in socket ids, in the order in which they were met. */
  readonly #numbers: number[] = [];

  private constructor(readonly server: Rollcall) {}

  static async start(): Promise<TwoWorkers> {
    const server = await Rollcall.start({
      PUSHER_APP_ID: app.id,
      PUSHER_APP_KEY: app.key,
      PUSHER_APP_SECRET: app.secret,
      WORKERS: "2",
      PORT: String(await reservePort()),
      DRAIN_MS: "0",
    });
    await server.printed(/Started .*worker=2/);
    return new TwoWorkers(server);
  }

  /** A user joins at one of the workers: the system gives each connection to either. */
  async join(worker: number, id: string): Promise<Member> {
    while (true) {
      const member = await Member.connect(this.server, id);
      if (!this.#numbers.includes(member.server)) this.#numbers.push(member.server);
      if (this.#numbers.indexOf(member.server) === worker) {
        this.#members.push(member);
        await member.join();
        return member;
      }
      await member.close();
    }
  }

  /** The users with a connection. */
  get truth(): string {
    const here = this.#members.filter(({ isClosed }) => !isClosed).map(({ id }) => id);
    return [...new Set(here)].toSorted().join();
  }

  /** All members have the same list, which is true. */
  async agree(): Promise<void> {
    await until(
      () => this.#members.every(({ isClosed, list }) => isClosed || list === this.truth),
      "all lists were true",
    ).catch((error) => {
      const lists = this.#members.filter(({ isClosed }) => !isClosed).map(({ list }) => list);
      throw new Error(
        `${error.message}: ${JSON.stringify([this.truth, ...lists])}\n${this.server.log}`,
      );
    });
  }

  /** What each member was sent since the last look, one text where it is the same for all. */
  get changes(): string[] {
    const all = this.#members.filter(({ isClosed }) => !isClosed)
      .map(({ changes }) => changes.splice(0).join(" "));
    return [...new Set(all)];
  }

  /** The process of a worker, from 1, or of the coordinator, 0, whose standby is younger. */
  async processOf(role: number): Promise<number> {
    let found: number | undefined;
    await until(() => {
      found = childrenOf(this.server.pid).find((child) => roleOf(child) === role);
      return found !== undefined;
    }, `process ${role} ran`);
    return found!;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await Promise.all(this.#members.map((member) => member.close()));
    await this.server[Symbol.asyncDispose]();
  }
}

// Other systems do not spread the connections of a port.
describe("two workers without Redis", { ignore: Deno.build.os !== "linux" }, () => {
  it("have one list: a user of both is one member until it has left both", async () => {
    await using workers = await TwoWorkers.start();
    const ann = await workers.join(0, "ann");
    const bob = await workers.join(1, "bob");
    await workers.agree();
    const tab = await workers.join(0, "bob");
    await workers.join(1, "eve");
    await workers.agree();
    assert.notEqual(ann.server, bob.server);
    const sent = ann.changes.splice(0);
    assert.equal(sent.filter((change) => change === "+bob").length, 1);
    await bob.close();
    await workers.join(1, "joe");
    await workers.agree();
    assert.ok(!ann.changes.includes("-bob"));
    await tab.close();
    await until(() => ann.changes.includes("-bob"));
    await workers.agree();
  });

  it("go on when the coordinator is killed: no one joins or leaves by that, and who does is in both lists", async () => {
    await using workers = await TwoWorkers.start();
    await workers.join(0, "ann");
    await workers.join(1, "bob");
    await workers.agree();
    void workers.changes;
    for (const round of [1, 2]) {
      Deno.kill(await workers.processOf(0), "SIGKILL");
      await until(
        () => count(workers.server.log, /The other servers are reached again/g) >= 2 * round,
        "both reached the next one",
      );
      const eve = await workers.join(0, `eve-${round}`);
      await workers.agree();
      await eve.close();
      await workers.agree();
      const changes = workers.changes;
      assert.ok(changes.every((each) => each.startsWith(`+eve-${round}`)), changes.join("\n"));
      assert.ok(changes.every((each) => !/ann|bob/.test(each)), changes.join("\n"));
    }
    assert.match(
      workers.server.log,
      /(?:The coordinator of the workers ended and is replaced[^]*){2}/,
    );
  });

  it("have another coordinator in the place of one that is frozen", async () => {
    await using workers = await TwoWorkers.start();
    await workers.join(0, "ann");
    await workers.join(1, "bob");
    await workers.agree();
    void workers.changes;
    Deno.kill(await workers.processOf(0), "SIGSTOP");
    await workers.server.printed(/The coordinator of the workers does not answer, and is ended/);
    await workers.join(1, "eve");
    await workers.agree();
    assert.deepEqual(workers.changes.toSorted(), ["", "+eve"]);
  });

  it("drop the users of a worker that was killed, but for those who are on the other by then", async () => {
    await using workers = await TwoWorkers.start();
    const members = [
      await workers.join(0, "ann"),
      await workers.join(0, "moves"),
      await workers.join(1, "bob"),
      await workers.join(1, "moves"),
    ];
    await workers.agree();
    void workers.changes;
    Deno.kill(await workers.processOf(2), "SIGKILL");
    await until(
      () => members.filter(({ isClosed }) => isClosed).length === 2,
      "its sockets had closed",
    );
    const gone = members[0].isClosed ? "ann" : "bob";
    await workers.agree();
    assert.deepEqual(workers.changes, [`-${gone}`]);
    await workers.server.printed(/A worker ended and is started again worker=2/);
    await until(() => count(workers.server.log, /: Started /g) >= 3, "it was started again");
  });

  it("record each join and leave once, through a killed worker and a killed coordinator", async () => {
    const workers = await TwoWorkers.start();
    const { dataFolder } = workers.server;
    const [ann, bob] = [await workers.join(0, "ann"), await workers.join(1, "bob")];
    await workers.agree();
    const stored = () => changesIn(dataFolder);
    await until(() => stored().length >= 2, "both were stored");
    const before = stored();
    await bob.close();
    await until(() => stored().includes("left bob closed"));
    Deno.kill(await workers.processOf(0), "SIGKILL");
    await until(() => count(workers.server.log, /are reached again/g) >= 2);
    const cid = await workers.join(1, "cid");
    await until(() => stored().some((change) => change.startsWith("joined cid")));
    assert.ok(!ann.isClosed && !cid.isClosed);
    const after = stored().slice(before.length).filter((change) => / (ann|bob) /.test(change));
    assert.deepEqual(after, ["left bob closed"]);
    await Promise.all([ann.close(), cid.close()]);
    assert.equal((await workers.server.stop()).code, 0);
    await Deno.remove(dataFolder, { recursive: true });
  });
});

function count(text: string, pattern: RegExp): number {
  return text.match(pattern)?.length ?? 0;
}

/** The activity log, oldest first. */
function changesIn(dataFolder: string): string[] {
  using database = new DatabaseSync(sqlitePath(dataFolder), { readOnly: true, timeout: 10_000 });
  return database.prepare("select change, * from attendance order by number").all()
    .map((row) => `${row.change} ${row.userId ?? row.user} ${row.reason ?? ""}`);
}
