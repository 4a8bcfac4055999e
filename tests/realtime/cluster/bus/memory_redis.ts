import type { Link } from "@/realtime/cluster/engine.ts";

/** Topics in memory, which the connections of several servers share. Messages arrive within the call. */
export class MemoryTopics {
  /** Every message that was published, with its topic. */
  readonly published: { readonly topic: string; readonly text: string }[] = [];
  readonly #connections = new Set<MemoryRedis>();

  /** A connection of another server. */
  connect(): MemoryRedis {
    const connection = new MemoryRedis(this);
    this.#connections.add(connection);
    return connection;
  }

  /** Delivers a message, also one that no server would send. @returns how many received it */
  publish(topic: string, text: string): number {
    this.published.push({ topic, text });
    const receivers = [...this.#connections].filter((one) => one.isUp && one.topics.has(topic));
    for (const { topics } of receivers) topics.get(topic)?.(text);
    return receivers.length;
  }
}

/** The part of a connection that messages use. */
export class MemoryRedis implements Link {
  readonly topics = new Map<string, (message: string) => void>();
  readonly #listeners = new Set<(isUp: boolean) => void>();
  readonly #all: MemoryTopics;
  #isUp = true;

  constructor(all: MemoryTopics) {
    this.#all = all;
  }

  get isUp(): boolean {
    return this.#isUp;
  }

  /** Cuts the connection, or restores it. */
  set isUp(isUp: boolean) {
    this.#isUp = isUp;
    for (const listener of this.#listeners) listener(isUp);
  }

  onChange(listener: (isUp: boolean) => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  publish(topic: string, text: string): Promise<number> {
    if (!this.#isUp) return Promise.reject(new Error("no connection"));
    return Promise.resolve(this.#all.publish(topic, text));
  }

  subscribe(topic: string, listener: (message: string) => void): Promise<void> {
    this.topics.set(topic, listener);
    return Promise.resolve();
  }

  unsubscribe(topic: string): Promise<void> {
    this.topics.delete(topic);
    return Promise.resolve();
  }

  close(): Promise<void> {
    this.topics.clear();
    return Promise.resolve();
  }
}
