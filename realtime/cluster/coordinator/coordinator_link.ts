import { CallDeadlines, type Link } from "../engine.ts";
import { parseJson } from "../messages/room_message.ts";
import { type Answer, type CallName, calls, type Given, reply } from "./calls.ts";
import { Lines } from "./lines.ts";

/** A coordinator, and how it is reached. Times are in milliseconds. */
export interface ReachedCoordinator {
  /** Of the coordinator's socket. */
  readonly socketPath: string;
  /** Is called with one line whenever there is no connection, for another reason than before. */
  readonly onProblem: (line: string) => void;
  /** Of each call. Default 2,000. */
  readonly timeoutMs?: number;
  /** Between two pings of the coordinator. Default 1,000. */
  readonly pingMs?: number;
  /** For how long the first connection is tried: the coordinator starts beside this process. Default 15,000. */
  readonly startMs?: number;
}

/** The pauses between two attempts to connect, in milliseconds; the last one for all that follow. */
const pausesMs = [5, 10, 20, 20, 50];

/** A call that waits for its answer. */
interface Waiting {
  readonly name: CallName;
  resolve(answer: unknown): void;
  reject(error: Error): void;
}

/** The connection of a server to its coordinator. When it fails it is replaced, for as long as it takes. */
export class CoordinatorLink implements Link {
  readonly #options: Required<ReachedCoordinator>;
  readonly #listeners = new Set<(isUp: boolean) => void>();
  readonly #topics = new Map<string, (message: string) => void>();
  readonly #waiting = new Map<number, Waiting>();
  readonly #deadlines: CallDeadlines;
  #lines: Lines | undefined;
  #isUp = false;
  #calls = 0;
  #failures = 0;
  #problem: string | undefined;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #attempt: Promise<unknown> = Promise.resolve();
  #isClosed = false;

  private constructor(options: ReachedCoordinator) {
    this.#options = { timeoutMs: 2_000, pingMs: 1_000, startMs: 15_000, ...options };
    this.#deadlines = new CallDeadlines(this.#options.timeoutMs);
  }

  /** Connects. @throws {Error} with one line when that fails for long. */
  static async open(options: ReachedCoordinator): Promise<CoordinatorLink> {
    const link = new CoordinatorLink(options);
    const giveUpAt = performance.now() + link.#options.startMs;
    while (true) {
      try {
        await link.#connect();
        return link;
      } catch (error) {
        link.#lines?.close();
        if (performance.now() < giveUpAt) {
          await pause(link.#nextPauseMs());
          continue;
        }
        await link.close();
        throw new Error(`The coordinator of the workers: ${reasonOf(error)}`);
      }
    }
  }

  get isUp(): boolean {
    return this.#isUp;
  }

  onChange(listener: (isUp: boolean) => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  /** Calls the coordinator. @throws {Error} when it refuses, is not connected, or misses the deadline. */
  call<Name extends CallName>(name: Name, ...given: Given<Name>): Promise<Answer<Name>> {
    if (!this.#isUp) return Promise.reject(new Error("there is no connection to the coordinator"));
    return this.#send(name, given) as Promise<Answer<Name>>;
  }

  async subscribe(topic: string, listener: (message: string) => void): Promise<void> {
    if (!this.#isUp) throw new Error("there is no connection to the coordinator");
    this.#topics.set(topic, listener);
    try {
      await this.call("subscribeTo", [topic]);
    } catch (error) {
      if (this.#topics.get(topic) === listener) await this.unsubscribe(topic);
      throw error;
    }
  }

  async unsubscribe(topic: string): Promise<void> {
    this.#topics.delete(topic);
    // The next connection does not subscribe to it.
    await this.call("unsubscribeFrom", topic).catch(() => {});
  }

  publish(topic: string, message: string): Promise<number> {
    return this.call("send", topic, message);
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    this.#listeners.clear();
    clearTimeout(this.#timer);
    this.#lines?.close();
    this.#deadlines.stop();
    await this.#attempt.catch(() => {});
  }

  /** Connects, and subscribes to what there is. @throws {Error} when that fails */
  async #connect(): Promise<void> {
    const path = this.#options.socketPath;
    const lines: Lines = new Lines(await Deno.connect({ transport: "unix", path }), {
      line: (text) => this.#received(text),
      ended: (fault = new Error("the connection was closed")) => this.#ended(lines, fault),
    });
    this.#lines = lines;
    lines.start();
    // None is added before the connection is up.
    await this.#send("subscribeTo", [[...this.#topics.keys()]]);
    if (this.#isClosed) throw new Error("the connection was closed");
    this.#failures = 0;
    this.#problem = undefined;
    this.#isUp = true;
    this.#pingLater(lines);
    this.#notify();
  }

  #send(name: CallName, given: readonly unknown[]): Promise<unknown> {
    const lines = this.#lines;
    if (!lines) return Promise.reject(new Error("there is no connection to the coordinator"));
    const number = ++this.#calls;
    const { promise, reject, resolve } = Promise.withResolvers<unknown>();
    this.#waiting.set(number, { name, resolve, reject });
    lines.send(`${JSON.stringify([number, name, given])}\n`);
    return this.#deadlines.within(promise);
  }

  #received(text: string): void {
    const sent = parseJson(text);
    // By hand, as most of what comes are messages: a schema takes three times as long as the text.
    if (isMessage(sent)) return void this.#topics.get(sent[0])?.(sent[1]);
    const { data: [to, value, fault] = [] } = reply.safeParse(sent);
    // Without the text, which has names of people.
    if (to === undefined) throw new Error("a line is no answer");
    const waiting = this.#waiting.get(to);
    this.#waiting.delete(to);
    if (!waiting) return;
    if (fault !== undefined) return waiting.reject(new Error(fault));
    const { data, error } = calls[waiting.name].answer.safeParse(value);
    if (!error) return waiting.resolve(data);
    waiting.reject(new Error(`the answer to ${waiting.name} is not as expected`));
  }

  #ended(lines: Lines, reason: Error): void {
    if (this.#lines !== lines) return;
    this.#lines = undefined;
    for (const { reject } of this.#waiting.values()) reject(reason);
    this.#waiting.clear();
    if (!this.#isUp) return;
    this.#isUp = false;
    clearTimeout(this.#timer);
    this.#report(reason);
    if (!this.#isClosed) this.#reconnectLater();
    this.#notify();
  }

  #reconnectLater(): void {
    this.#timer = setTimeout(() => {
      this.#attempt = this.#connect().catch((error) => {
        this.#lines?.close();
        this.#report(error);
        if (!this.#isClosed) this.#reconnectLater();
      });
    }, this.#nextPauseMs());
  }

  #nextPauseMs(): number {
    return pausesMs[Math.min(this.#failures++, pausesMs.length - 1)];
  }

  /** A coordinator that is frozen keeps its connections, and bytes that are written to them fail nowhere. */
  #pingLater(lines: Lines): void {
    this.#timer = setTimeout(() => {
      this.#send("ping", []).then(
        () => this.#lines === lines && this.#pingLater(lines),
        (error) => lines.close(error),
      );
    }, this.#options.pingMs);
  }

  #report(error: unknown): void {
    const line = reasonOf(error);
    if (this.#isClosed || line === this.#problem) return;
    this.#problem = line;
    this.#options.onProblem(line);
  }

  #notify(): void {
    for (const listener of [...this.#listeners]) listener(this.#isUp);
  }
}

function isMessage(sent: unknown): sent is [topic: string, message: string] {
  return Array.isArray(sent) && sent.length === 2 && typeof sent[0] === "string" &&
    typeof sent[1] === "string";
}

function pause(milliseconds: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, milliseconds));
}

function reasonOf(error: unknown): string {
  return (error instanceof Error ? error.message : String(error)).split("\n")[0];
}
