import { until } from "../../fixtures/eventually.ts";
import { type RedisServer, startRedis } from "../../fixtures/redis.ts";
import { Link } from "./link.ts";

/** A Redis that keeps its data in a file, and a replica of it that can take its place. */
export class RedisPair implements AsyncDisposable {
  #master: RedisServer;
  #replica: RedisServer;
  #isFrozen = false;
  /** From the replica to the master. */
  #replication!: Link;

  private constructor(master: RedisServer, replica: RedisServer) {
    this.#master = master;
    this.#replica = replica;
  }

  static async start(): Promise<RedisPair> {
    const settings = { "repl-timeout": "60", "repl-ping-replica-period": "1" };
    const master = await startRedis({ appendOnly: true, settings });
    const replica = await startRedis({ appendOnly: true, settings });
    const pair = new RedisPair(master, replica);
    pair.#replication = await Link.to(() => pair.#master.port);
    await pair.#replicate();
    return pair;
  }

  /** The port of the one that serves now. */
  get port(): number {
    return this.#master.port;
  }

  freeze(): void {
    this.#isFrozen = true;
    this.#master.freeze();
  }

  thaw(): void {
    this.#isFrozen = false;
    this.#master.thaw();
  }

  kill(): Promise<void> {
    return this.#master.kill();
  }

  /** Starts it again after {@link kill}. @param empty without its data */
  async restart(empty: boolean): Promise<void> {
    await this.#master.restart({ empty });
  }

  flushAll(): Promise<void> {
    return this.#master.flushAll();
  }

  /** @param type `normal` or `pubsub` */
  async killClients(type: string): Promise<void> {
    await this.#master.command("CLIENT", "KILL", "TYPE", type);
  }

  /** From now on the replica does not follow any more. */
  hold(): void {
    this.#replication.isHeld = true;
  }

  /** The master dies, and the replica is the master after this; it lacks what came since {@link hold}. */
  async takeOver(): Promise<void> {
    await this.#master.kill();
    this.#replication.cut();
    await this.#replica.command("REPLICAOF", "NO", "ONE");
    [this.#master, this.#replica] = [this.#replica, this.#master];
    this.#replication.isHeld = false;
  }

  /** Makes the dead one the replica of the other one. */
  async repair(): Promise<void> {
    await this.#replica.restart({ empty: true });
    await this.#replicate();
  }

  async #replicate(): Promise<void> {
    await this.#replica.command("REPLICAOF", "127.0.0.1", String(this.#replication.port));
    const isUp = async () =>
      (await this.#replica.command("INFO", "replication")).includes("master_link_status:up");
    await until(isUp, "the replica followed the master");
  }

  async [Symbol.asyncDispose](): Promise<void> {
    if (this.#isFrozen) this.thaw();
    await this.#replication[Symbol.asyncDispose]();
    await Promise.all([this.#master.stop(), this.#replica.stop()]);
  }
}
