/**
 * What the workers of a machine share without Redis: who is a member, topics, and the log. It runs in a process of
 * its own, and workers reach it over a socket of the file system.
 *
 * The shared state makes the promises: `../state/memory/` has the rules. When its process ends, another one
 * begins with nothing, which servers notice as they notice a Redis that has lost its data: they register their users
 * again, and no one joins or leaves by that.
 *
 * @module
 */
import type { LogLine, LogPart } from "../engine.ts";
import type { LogEntry } from "../../options.ts";
import { parseJson } from "../messages/room_message.ts";
import { laterEntry, topicOf } from "../state/shared_state.ts";
import { MemoryState, type MemorySurroundings } from "../state/memory/memory_state.ts";
import type { RoomEvent } from "../state/memory/memory_rooms.ts";
import { calls, type Carrier, carrierFor, type CoordinatorParts, request } from "./calls.ts";
import { Lines, Topics } from "./lines.ts";

/** Log entries that wait for a leader; a join has 300 bytes. */
const mostLogEntries = 250_000;

/** How often empty rooms are forgotten, in milliseconds. */
const forgetEveryMs = 5_000;

/** The shared data of the servers of a machine, and their topics. */
export class Coordinator {
  readonly #parts: CoordinatorParts;
  readonly #log: (entry: LogEntry) => void;
  readonly #connections = new Set<Lines>();
  #onIdle: (() => void)[] = [];
  #listener: Deno.Listener | undefined;
  #accepting: Promise<void> | undefined;
  #timer: ReturnType<typeof setInterval> | undefined;

  /**
   * @param rules the lease and the time, if they are not the usual ones.
   * @param log takes what happens to connections.
   */
  constructor(
    rules: Partial<MemorySurroundings> = {},
    log: (entry: LogEntry) => void = () => {},
  ) {
    this.#log = log;
    const usual = { leaseMs: 10_000, now: Date.now };
    const { leaseMs, now, ...rest } = { ...usual, ...rules };
    const topics = new Topics();
    const entries = new MemoryLog(now, mostLogEntries);
    const state = new MemoryState({
      ...rest,
      leaseMs,
      now,
      publish: (room, message) => topics.publish(topicOf("", room), message),
      append: (event) => entries.append(fieldsOf(event)),
    });
    this.#parts = { state, log: entries, topics };
  }

  /** Listens on a socket that only this user can open. @throws {Error} when it cannot */
  listen(path: string): void {
    const mask = Deno.umask(0o177);
    try {
      this.#listener = Deno.listen({ transport: "unix", path });
    } finally {
      Deno.umask(mask);
    }
    this.#timer = setInterval(() => this.#parts.state.forgetEmpty(), forgetEveryMs);
    this.#accepting = this.#accept(this.#listener);
  }

  /** Resolves when no server is connected. */
  idle(): Promise<void> {
    if (this.#connections.size === 0) return Promise.resolve();
    return new Promise((resolve) => this.#onIdle.push(resolve));
  }

  /** Ends all connections, and removes the socket. */
  async close(): Promise<void> {
    clearInterval(this.#timer);
    this.#listener?.close();
    this.#listener = undefined;
    for (const lines of this.#connections) lines.close();
    await this.#accepting;
  }

  async #accept(listener: Deno.Listener): Promise<void> {
    while (this.#listener === listener) {
      try {
        this.#add(await listener.accept());
      } catch {
        if (this.#listener !== listener) return;
        // There is no file descriptor at the moment.
        await new Promise((resolve) => setTimeout(resolve, 10));
      }
    }
  }

  #add(connection: Deno.Conn): void {
    const lines = new Lines(connection, {
      line: (text) => called(lines, carrier, text),
      ended: (fault) => this.#ended(lines, fault),
    });
    const carrier = carrierFor(lines, this.#parts);
    this.#connections.add(lines);
    lines.start();
  }

  #ended(lines: Lines, fault: Error | undefined): void {
    if (fault && !isReset(fault)) {
      const message = "The coordinator has ended the connection of a worker";
      this.#log({ level: "warn", message, reason: fault.message.slice(0, 500) });
    }
    this.#connections.delete(lines);
    this.#parts.topics.ended(lines);
    if (this.#connections.size > 0) return;
    for (const resolve of this.#onIdle.splice(0)) resolve();
  }
}

/** Carries out a call, and answers it. @throws {Error} when it is malformed */
function called(lines: Lines, carrier: Carrier, text: string): void {
  // Without the text, which has names of people.
  const { data: [number, name, words] = [] } = request.safeParse(parseJson(text));
  if (name === undefined) throw new Error("a line is no call");
  const { data: given } = calls[name].given.safeParse(words);
  if (!given) throw new Error(`what is given to ${name} is not as expected`);
  const carry = carrier[name] as (...given: unknown[]) => Promise<unknown>;
  carry(...given).then(
    (answer) => lines.send(`${JSON.stringify([number, answer])}\n`),
    (error) => lines.send(`${JSON.stringify([number, null, messageOf(error)])}\n`),
  );
}

/** The fields of a log's entry, as the scripts in Redis write them. */
function fieldsOf({ member, ...event }: RoomEvent): string[] {
  const version = event.name === laterEntry.name ? laterEntry.version : "1";
  const fields = ["v", version, "e", JSON.stringify(event)];
  return member === undefined ? fields : [...fields, "m", member];
}

/** Whether a worker was killed: then what it had not read is lost. */
function isReset(error: Error): boolean {
  return error instanceof Deno.errors.ConnectionReset || error instanceof Deno.errors.BrokenPipe;
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

type Fields = readonly string[];

/** The part of a full log that is forgotten at once: to find the oldest entries of a table takes long. */
const forgottenAtOnce = 1 / 250;

/** The log of all servers in memory: entries, until the leader is done with them. */
export class MemoryLog {
  readonly #now: () => number;
  readonly #mostEntries: number;
  /** Not read by a leader. */
  readonly #unread = new Queue();
  /** Read by a leader, and not acknowledged; by id, in their order. */
  readonly #open = new Map<string, Fields>();
  #time = 0;
  #number = 0;
  #wasRead = false;

  /**
   * @param now in milliseconds since 1970.
   * @param mostEntries how many entries it keeps; of more, the oldest are lost, some at once.
   */
  constructor(now: () => number, mostEntries: number) {
    this.#now = now;
    this.#mostEntries = mostEntries;
  }

  /** How many entries it has. */
  get size(): number {
    return this.#unread.length + this.#open.size;
  }

  /** Adds an entry. */
  append(fields: Fields): void {
    this.#unread.push([this.#nextId(), fields]);
    if (this.size > this.#mostEntries) this.#forgetOldest();
  }

  /** See `SharedLog.read`; the caller knows that the leader asks. */
  read(after: string, count: number): Omit<LogPart, "began"> {
    const isNew = !this.#wasRead;
    this.#wasRead = true;
    return { isNew, lines: after === ">" ? this.#readNew(count) : this.#readAgain(after, count) };
  }

  /** Entries are done with. */
  acknowledge(ids: readonly string[]): void {
    for (const id of ids) this.#open.delete(id);
  }

  #forgetOldest(): void {
    const count = Math.ceil(this.#mostEntries * forgottenAtOnce);
    const oldest = this.#open.keys().take(count).toArray();
    for (const id of oldest) this.#open.delete(id);
    this.#unread.take(count - oldest.length);
  }

  #readNew(count: number): LogLine[] {
    const lines = this.#unread.take(count);
    for (const [id, fields] of lines) this.#open.set(id, fields);
    return lines;
  }

  #readAgain(after: string, count: number): LogLine[] {
    return this.#open.entries().filter(([id]) => isLater(id, after)).take(count).toArray();
  }

  /** Later ids are greater, also when the clock is set back. */
  #nextId(): string {
    const time = Math.max(this.#time, Math.floor(this.#now()));
    this.#number = time === this.#time ? this.#number + 1 : 0;
    this.#time = time;
    return `${time}-${this.#number}`;
  }
}

/** Entries in the order in which they came. */
class Queue {
  #lines: [id: string, fields: Fields][] = [];
  #first = 0;

  get length(): number {
    return this.#lines.length - this.#first;
  }

  push(line: [id: string, fields: Fields]): void {
    this.#lines.push(line);
  }

  /** Takes the first ones out. */
  take(count: number): [id: string, fields: Fields][] {
    const taken = this.#lines.slice(this.#first, this.#first + count);
    this.#first += taken.length;
    // What was taken is let go of when it is most of what is kept.
    if (this.#first > this.#lines.length / 2) {
      this.#lines = this.#lines.slice(this.#first);
      this.#first = 0;
    }
    return taken;
  }
}

/** Whether an id is greater than another. */
function isLater(id: string, other: string): boolean {
  const [[time, number], [otherTime, otherNumber]] = [partsOf(id), partsOf(other)];
  return time > otherTime || time === otherTime && number > otherNumber;
}

function partsOf(id: string): [time: number, number: number] {
  const [time, number = "0"] = id.split("-");
  return [Number(time), Number(number)];
}
