import { type IgnoredMessages, parseJson } from "../messages/room_message.ts";
import type { z } from "zod";
import type { LogEntry } from "../../options.ts";
import type { Clock } from "../../timing/clock.ts";
import type { Link } from "../engine.ts";
import {
  type BusRequest,
  type Message,
  readMessage,
  responseMessages,
  writeMessage,
} from "./messages.ts";

/** A part of the JSON text of a response. */
interface ResponsePart {
  readonly index: number;
  readonly count: number;
  readonly text: string;
}

/** What servers answered in time. */
interface Responses {
  /** By the number of the server; undefined of one that cannot answer. */
  readonly responses: ReadonlyMap<string, unknown>;
  /** Whether the request is known to have been sent. */
  readonly isSent: boolean;
}

/** One request that waits for its responses. It does not send and has no clock. */
export class PendingRequest {
  readonly done: Promise<Responses>;
  readonly #responses = new Map<string, unknown>();
  /** The parts that have come of answers in several parts, by the number of the server. */
  readonly #parts = new Map<string, string[]>();
  readonly #only: string | undefined;
  readonly #resolve: (responded: Responses) => void;
  /** How many servers have received it; undefined until that is known. */
  #received: number | undefined;

  /** @param only the one server whose response counts; by default every server's does */
  constructor(only?: string) {
    const { promise, resolve } = Promise.withResolvers<Responses>();
    this.done = promise;
    this.#only = only;
    this.#resolve = resolve;
  }

  /** A server answered; its first response counts. */
  responded(from: string, data: unknown): void {
    if (this.#responses.has(from) || (this.#only !== undefined && from !== this.#only)) return;
    this.#responses.set(from, data);
    this.#endIfAll();
  }

  /** A part of a response came. Where one is missing, the server has not answered. */
  part(from: string, { index, count, text }: ResponsePart): void {
    if (this.#only !== undefined && from !== this.#only) return;
    const parts = this.#parts.get(from) ?? [];
    this.#parts.set(from, parts);
    if (index !== parts.length) return;
    parts.push(text);
    if (parts.length < count) return;
    this.#parts.delete(from);
    this.responded(from, parseJson(parts.join("")));
  }

  /** It was sent to a number of servers other than this one: as many responses can come. */
  sent(received: number): void {
    this.#received = received;
    this.#endIfAll();
  }

  /** Stops waiting for answers. */
  end(): void {
    this.#resolve({ responses: this.#responses, isSent: this.#received !== undefined });
  }

  #endIfAll(): void {
    if (this.#received === undefined || this.#responses.size < this.#received) return;
    this.end();
  }
}

/** Options of a {@link Bus}. */
export interface BusOptions {
  link: Link;
  /** What the names of all topics begin with. */
  prefix: string;
  /** The number of this server, which no other has. */
  serverNumber: number;
  /** The names of the nodes with a valid lease: a server's number, a dot and more. */
  nodes: () => Iterable<string>;
  clock: Clock;
  /** Counts the messages that this release cannot read. */
  ignored: IgnoredMessages;
  log: (entry: LogEntry) => void;
}

/** What all other servers answered. */
export interface AllResponses<A> {
  readonly responses: readonly { readonly server: string; readonly response: A }[];
  /** Whether every server with a valid lease has answered. */
  readonly isComplete: boolean;
}

/** A command as it is sent and received; what its data have to be follows from its name. */
export interface ReceivedCommand {
  /** No other command has it. */
  readonly id: string;
  readonly name: string;
  readonly data: unknown;
  /** When it was given, by the clock of this server. */
  readonly at: number;
}

/**
 * Requests and commands between servers, over topics of the engine: one for all servers, one for each. Messages
 * are delivered at most once, and in their order; what a message asks for is done as it comes.
 */
export class Bus {
  readonly #options: BusOptions;
  readonly #own: string;
  readonly #asked = new Map<string, PendingRequest>();
  readonly #handlers = new Map<
    string,
    { form: z.ZodType; handle: (request: never) => unknown }
  >();
  #onCommand: (command: ReceivedCommand) => void = () => {};
  #isServed = false;
  #sent = 0;

  constructor(options: BusOptions) {
    this.#options = options;
    this.#own = String(options.serverNumber);
  }

  /**
   * Handles a kind of request, at once or later. A response that throws or rejects is none, which the server that
   * asks learns at once.
   */
  respond<Q, A>({ name, request }: BusRequest<Q, A>, handle: (request: Q) => A | Promise<A>): void {
    this.#handlers.set(name, { form: request, handle });
  }

  /** Receives the commands of other servers, of known and unknown kinds; one listener. */
  onCommand(listener: (command: ReceivedCommand) => void): void {
    this.#onCommand = listener;
  }

  /**
   * The kinds of this release have their handlers, so that one without is of a later release. Before, others ask a
   * server that starts for what it cannot answer yet.
   */
  served(): void {
    this.#isServed = true;
  }

  /** Ignores a message without a handler, and counts it once this server is served. @param what its kind, for the log */
  ignoreUnhandled(what: string): void {
    if (this.#isServed) this.#options.ignored.add("unknown", what);
  }

  /** Receives messages from now on. @throws {Error} when the engine cannot be reached */
  async start(): Promise<void> {
    const { link } = this.#options;
    const receive = (text: string) => this.#receive(text);
    await Promise.all(
      [this.#topicOfAll, this.#topicOf(this.#own)].map((topic) => link.subscribe(topic, receive)),
    );
  }

  /** Receives nothing more; what is asked has no more responses. Never rejects. */
  async stop(): Promise<void> {
    for (const request of this.#asked.values()) request.end();
    const { link } = this.#options;
    await Promise.all([
      link.unsubscribe(this.#topicOfAll),
      link.unsubscribe(this.#topicOf(this.#own)),
    ]);
  }

  /** Asks all other servers. Never rejects. */
  async ask<Q, A>(kind: BusRequest<Q, A>, data: Q): Promise<AllResponses<A>> {
    const request = new PendingRequest();
    const { responses: given, isSent } = await this.#ask(kind, data, this.#topicOfAll, request);
    const responses: { server: string; response: A }[] = [];
    for (const [server, response] of given) {
      const result = this.#readResponse(kind, response);
      if (result) responses.push({ server, response: result.data });
    }
    const responded = new Set(responses.map(({ server }) => server));
    const isComplete = isSent && this.#others().every((server) => responded.has(server));
    return { responses, isComplete };
  }

  /** Asks one server. @returns undefined when it is gone or does not answer in time; never rejects */
  async askOne<Q, A>(server: string, kind: BusRequest<Q, A>, data: Q): Promise<A | undefined> {
    const request = new PendingRequest(server);
    const { responses } = await this.#ask(kind, data, this.#topicOf(server), request);
    return this.#readResponse(kind, responses.get(server))?.data;
  }

  /** Sends a command to all other servers. @throws {Error} when it may not have been sent */
  async command({ id, name, data, at }: ReceivedCommand): Promise<void> {
    const age = Math.max(this.#options.clock.now() - at, 0);
    await this.#publish(this.#topicOfAll, { t: "order", id, from: this.#own, name, data, age });
  }

  /** An id for a message, which no other message has. */
  newId(): string {
    return `${this.#own}-${++this.#sent}`;
  }

  /** Requests that wait. */
  stats() {
    return { requests: this.#asked.size };
  }

  get #topicOfAll(): string {
    return `${this.#options.prefix}nodes`;
  }

  #topicOf(server: string): string {
    return `${this.#options.prefix}node:${server}`;
  }

  #others(): string[] {
    const numbers = Array.from(this.#options.nodes(), (node) => node.split(".", 1)[0]);
    return numbers.filter((number) => number !== this.#own);
  }

  async #ask<Q, A>(
    { responseMs, name }: BusRequest<Q, A>,
    data: Q,
    topic: string,
    asked: PendingRequest,
  ): Promise<Responses> {
    const id = this.newId();
    this.#asked.set(id, asked);
    const cancel = this.#options.clock.after(responseMs, () => asked.end());
    const message = { t: "ask", id, from: this.#own, name, data } as const;
    const own = topic === this.#topicOfAll ? 1 : 0;
    this.#publish(topic, message).then(
      (received) => asked.sent(received - own),
      () => asked.end(),
    );
    try {
      return await asked.done;
    } finally {
      cancel();
      this.#asked.delete(id);
    }
  }

  /** @returns how many servers received it */
  async #publish(topic: string, message: Message): Promise<number> {
    return await this.#options.link.publish(topic, writeMessage(message));
  }

  #receive(text: string): void {
    const result = readMessage(text);
    if (!result.ok) return this.#options.ignored.add(result.fault, result.detail);
    const { message } = result;
    if (message.from === this.#own) return;
    if (message.t === "answer") this.#asked.get(message.id)?.responded(message.from, message.data);
    else if (message.t === "part") this.#asked.get(message.id)?.part(message.from, message);
    else if (message.t === "ask") void this.#respond(message);
    else this.#handle(message);
  }

  async #respond({ id, from, name, data }: Message & { t: "ask" }): Promise<void> {
    const header = { id, from: this.#own };
    const topic = this.#topicOf(from);
    // Without data, the server that asks does not wait for more.
    const cannot = () => this.#publish(topic, { t: "answer", ...header }).catch(() => {});
    const handler = this.#handlers.get(name);
    const request = handler?.form.safeParse(data);
    if (!handler || !request?.success) {
      if (handler) this.#options.ignored.add("malformed", `request ${name}`);
      else this.ignoreUnhandled(`request ${name}`);
      return void cannot();
    }
    let messages: Message[];
    try {
      // A handler takes what its own form gives, which the types of a map of handlers cannot say.
      const result = handler.handle(request.data as never);
      messages = responseMessages(header, result instanceof Promise ? await result : result);
    } catch (error) {
      this.#failed(`request ${name}`, error);
      return void cannot();
    }
    // One after the other: they arrive in this order, and other messages come between them.
    try {
      for (const message of messages) await this.#publish(topic, message);
    } catch {
      cannot();
    }
  }

  #handle({ id, name, data, age }: Message & { t: "order" }): void {
    try {
      this.#onCommand({ id, name, data, at: this.#options.clock.now() - age });
    } catch (error) {
      this.#failed(`command ${name}`, error);
    }
  }

  #readResponse<Q, A>(
    { name, response }: BusRequest<Q, A>,
    data: unknown,
  ): { data: A } | undefined {
    if (data === undefined) return undefined;
    const result = response.safeParse(data);
    if (!result.success) this.#options.ignored.add("malformed", `response ${name}`);
    return result.success ? { data: result.data } : undefined;
  }

  #failed(what: string, error: unknown): void {
    const message = "A message of another server failed";
    this.#options.log({ level: "error", message, what, error });
  }
}
