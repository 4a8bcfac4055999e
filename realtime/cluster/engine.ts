import type { SharedState } from "./state/shared_state.ts";

/** What all servers share, as this one reaches it: Redis, or the coordinator of the workers of a machine. */
export interface Engine {
  /** For people, at the beginning of a sentence. */
  readonly name: string;
  /** The coordinator is on the same machine as its servers, so that none is partitioned from it that others reach. */
  readonly place: "redis" | "coordinator";
  readonly link: Link;
  readonly state: SharedState;
  readonly log: SharedLog;
  /** What the names of all topics begin with. */
  readonly prefix: string;
}

/**
 * The connection of this server to what all servers share: topics, and whether calls make sense. There is no queue
 * of calls while the connection is down: they fail at once.
 */
export interface Link {
  /** Whether it works, as far as is known. */
  readonly isUp: boolean;
  /**
   * Is called when {@link isUp} changes. Messages may have been missed whenever it became true.
   *
   * @returns unsubscribe
   */
  onChange(listener: (isUp: boolean) => void): () => void;
  /**
   * Receives the messages of a topic, from when the promise is fulfilled; also after the connection
   * was down and is up again. One listener a topic, which may not throw.
   */
  subscribe(topic: string, listener: (message: string) => void): Promise<void>;
  /** Ends a subscription. Never rejects. */
  unsubscribe(topic: string): Promise<void>;
  /** Sends a message to all servers that are subscribed to a topic. @returns how many received it */
  publish(topic: string, message: string): Promise<number>;
  /** Closes the connection. Listeners are no longer called. */
  close(): Promise<void>;
}

/** An entry of the log: its id, and names and values of its fields in turn; null where it is no longer in the log. */
export type LogLine = readonly [id: string, fields: readonly string[] | null];

/** What a leader reads of the log at once. */
export interface LogPart {
  /** Whether no leader has read these data before. */
  readonly isNew: boolean;
  /** When the data set began. */
  readonly began: string;
  readonly lines: readonly LogLine[];
}

/**
 * The log that all servers share. Each entry is handed out once, to the leader, and again after its id as long as it
 * was not acknowledged: so every leader goes on with what the leader before had not acknowledged. All methods throw when
 * the log is not reached.
 */
export interface SharedLog {
  /** Adds an entry. @param fields names and values in turn */
  append(fields: readonly string[]): Promise<void>;
  /**
   * Reads for the leader: a server that was frozen and is no longer the leader must not take entries, as its
   * successor would not see them.
   *
   * @param after the id after which to read what was read and not acknowledged, or `>` for what is new.
   */
  read(node: string, after: string, count: number): Promise<LogPart | "not_leading">;
  /** Entries are done with. */
  acknowledge(ids: readonly string[]): Promise<void>;
  /** Entries from before a time in milliseconds since 1970 are no longer needed; some may stay. */
  trim(before: number): Promise<void>;
  /** Removes all entries about a user of an app, also those that are not acknowledged. */
  forget(appId: string, userId: string): Promise<void>;
}

/** How long this process takes to read what has come, in milliseconds. */
export const readMs = 20;

/**
 * Lets calls fail that have no answer in time. One timer is for all of them: one for each costs 25 µs,
 * which is a tenth of a user's join.
 */
export class CallDeadlines {
  readonly #timeoutMs: number;
  /** When each call is late, by the clock of this process; the earliest first. */
  readonly #lateAt = new Map<(error: Error) => void, number>();
  #timer?: ReturnType<typeof setTimeout>;

  /** @param timeoutMs of each call, in milliseconds. */
  constructor(timeoutMs: number) {
    this.#timeoutMs = timeoutMs;
  }

  /** The answer. @throws {Error} when there is none in time; one that is an error later is handled. */
  within<Answer>(answer: Promise<Answer>): Promise<Answer> {
    const { promise, reject, resolve } = Promise.withResolvers<Answer>();
    this.#lateAt.set(reject, performance.now() + this.#timeoutMs);
    if (this.#timer === undefined) this.#checkLater();
    const ended = () => this.#lateAt.delete(reject);
    answer.then((value) => {
      ended();
      resolve(value);
    }, (error) => {
      ended();
      reject(error);
    });
    return promise;
  }

  /** Stops watching calls. */
  stop(): void {
    clearTimeout(this.#timer);
    this.#lateAt.clear();
  }

  #checkLater(): void {
    this.#timer = undefined;
    for (const lateAt of this.#lateAt.values()) {
      this.#timer = setTimeout(() => this.#check(), Math.max(0, lateAt - performance.now()));
      return;
    }
  }

  /** What came while this process was busy is read after the timers that became due meanwhile. */
  #check(): void {
    const now = performance.now();
    const late = Array.from(this.#lateAt).filter(([, lateAt]) => lateAt <= now);
    if (late.length === 0) return this.#checkLater();
    this.#timer = setTimeout(() => {
      for (const [reject] of late) {
        if (this.#lateAt.delete(reject)) reject(noAnswer(this.#timeoutMs));
      }
      this.#checkLater();
    }, readMs);
  }
}

/** There was no answer in time. */
export function noAnswer(timeoutMs: number): Error {
  return new Error(`no answer within ${timeoutMs / 1_000} s`);
}
