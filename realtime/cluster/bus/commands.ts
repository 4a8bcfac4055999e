import type { Bus, BusOptions, ReceivedCommand } from "./bus.ts";
import { z } from "zod";
import { type Command, command } from "./messages.ts";
import { maxRemembered, rememberedRequest } from "./requests.ts";
import { type Departure, departures, leaveReasons } from "../../events/server_events.ts";
import { maxUserIdLength } from "../../protocol/member.ts";
import { belongsTo, closeOf } from "../../connections/closing.ts";
import type { Connection } from "../../connections/connection.ts";
import type { AppCommand } from "../../other_servers.ts";
import { type Close, closes } from "../../protocol/close_codes.ts";
import type { App } from "../../server.ts";

/** How long commands are remembered, in milliseconds: longer than a server runs without reaching others. */
const keptMs = 24 * 60 * 60_000;

/**
 * The latest commands of all servers, given or received. A signature for a socket can be used until the socket
 * closes, however late a server that has the socket learns that the user's connections were to close.
 */
export class RememberedCommands {
  /** By id, in the order in which they came. */
  readonly #commands = new Map<string, ReceivedCommand>();
  readonly #max: number;

  /** @param max how many are remembered; the oldest are forgotten first. */
  constructor(max: number) {
    this.#max = max;
  }

  get size(): number {
    return this.#commands.size;
  }

  /** Remembers a command. @returns false when it is known. */
  add(command: ReceivedCommand, now: number): boolean {
    if (this.#commands.has(command.id)) return false;
    this.#commands.set(command.id, command);
    for (const [id, { at }] of this.#commands) {
      if (this.#commands.size <= this.#max && now - at <= keptMs) break;
      this.#commands.delete(id);
    }
    return true;
  }

  /** The commands that were received at a time or later, in their order. */
  since(time: number): ReceivedCommand[] {
    return [...this.#commands.values()].filter(({ at }) => at >= time);
  }
}

/** Before a connection is found to be lost, messages may be missed for this long, in milliseconds. */
const unnoticedMs = 15_000;

/**
 * After a connection is back, others may come back for this long, in milliseconds. Until then they need not be
 * among the nodes with a lease, if the engine has lost its data.
 */
const returningMs = 15_000;

/** The pause after an attempt to send a command, or to learn what was missed, in milliseconds. */
const retryMs = 1_000;

/**
 * Gives commands to the other servers, and carries out theirs, each once. Remembered commands arrive
 * late rather than never: one that could not be sent is sent when the engine is back, and a server that was cut
 * off asks the others for what it missed until all have answered.
 */
export class Commands {
  readonly #bus: Bus;
  readonly #options: BusOptions;
  readonly #handlers = new Map<
    string,
    { kind: Command<never>; handle: (command: never, at: number) => void }
  >();
  readonly #remembered = new RememberedCommands(maxRemembered);
  readonly #unsent = new Map<string, ReceivedCommand>();
  readonly #stopListening: () => void;
  /** Since when commands may have been missed; undefined when none is. */
  #missedSince: number | undefined;
  /** The date less the time when nothing was missed: a suspended machine's time stops, the date goes on. */
  #dateLessTime: number;
  #returnedAt = 0;
  #isAsking = false;
  #isStopped = false;
  #cancelAsking = () => {};
  #cancelSending = () => {};

  constructor(bus: Bus, options: BusOptions) {
    const { clock, link } = this.#options = options;
    this.#bus = bus;
    this.#dateLessTime = clock.date() - clock.now();
    bus.onCommand((command) => this.#received(command));
    bus.respond(rememberedRequest, ({ forMs }) => this.#since(forMs));
    this.#stopListening = link.onChange((isUp) => this.#changed(isUp));
  }

  /** Carries out a kind of command. @param handle receives the time at which it was given, by the clock */
  handle<O>(kind: Command<O>, handle: (command: O, at: number) => void): void {
    this.#handlers.set(kind.name, { kind: kind as Command<never>, handle });
  }

  /** Gives a command to the other servers; see {@link Command} for what happens when it cannot be sent. */
  send<O>({ name, isRemembered, isResent }: Command<O>, data: O): void {
    const { clock } = this.#options;
    const command = { id: this.#bus.newId(), name, data, at: clock.now() };
    if (isRemembered) this.#remembered.add(command, command.at);
    if (isResent) {
      this.#unsent.set(command.id, command);

      const [oldest] = this.#unsent.keys();
      if (this.#unsent.size > maxRemembered) this.#unsent.delete(oldest);
    }
    this.#send(command);
  }

  /** Sends and receives nothing more. */
  stop(): void {
    this.#stopListening();
    this.#isStopped = true;
    this.#cancelAsking();
    this.#cancelSending();
  }

  /** The number of entries in memory, by what they are. */
  stats() {
    return { rememberedCommands: this.#remembered.size, unsentCommands: this.#unsent.size };
  }

  #send(command: ReceivedCommand): void {
    this.#bus.command(command)
      .then(() => this.#unsent.delete(command.id), () => this.#sendLater());
  }

  #sendUnsent(): void {
    for (const command of this.#unsent.values()) this.#send(command);
  }

  #sendLater(): void {
    const { clock, link } = this.#options;
    this.#cancelSending();
    if (this.#isStopped || !link.isUp || this.#unsent.size === 0) return;
    this.#cancelSending = clock.after(retryMs, () => this.#sendUnsent());
  }

  #received(command: ReceivedCommand): void {
    const { clock, ignored } = this.#options;
    const { kind, handle } = this.#handlers.get(command.name) ?? {};
    if (!kind || !handle) return this.#bus.ignoreUnhandled(`command ${command.name}`);
    if (kind.isRemembered && !this.#remembered.add(command, clock.now())) return;
    const data = (kind.command as z.ZodType<never>).safeParse(command.data);
    if (!data.success) return ignored.add("malformed", `command ${command.name}`);
    handle(data.data, command.at);
  }

  #since(forMs: number) {
    const now = this.#options.clock.now();
    return this.#remembered.since(now - forMs)
      .map(({ id, name, data, at }) => ({ id, name, data, age: now - at }));
  }

  #changed(isUp: boolean): void {
    const { clock } = this.#options;
    this.#cancelAsking();
    this.#cancelSending();
    if (!isUp) {
      this.#missedSince ??= clock.now() - unnoticedMs;
      return;
    }
    this.#returnedAt = clock.now();
    if (this.#missedSince === undefined) this.#missedNothing();
    this.#sendUnsent();
    void this.#learn();
  }

  /** Asks the others until all have answered. */
  async #learn(): Promise<void> {
    const since = this.#missedSince;
    if (since === undefined || this.#isAsking) return;
    const { clock, log, link } = this.#options;
    this.#isAsking = true;
    const { responses, isComplete } = await this.#bus.ask(rememberedRequest, {
      forMs: clock.now() - since + this.#suspendedMs,
    });
    this.#isAsking = false;
    for (const { response } of responses) {
      for (const { id, name, data, age } of response) {
        try {
          this.#received({ id, name, data, at: this.#timeOf(age) });
        } catch (error) {
          log({ level: "error", message: "A command of another server failed", name, error });
        }
      }
    }
    if (this.#isStopped || !link.isUp) return;
    const returningForMs = this.#returnedAt + returningMs - clock.now();
    if (isComplete && returningForMs <= 0) this.#missedNothing();
    else {
      const pauseMs = isComplete ? returningForMs : retryMs;
      this.#cancelAsking();
      this.#cancelAsking = clock.after(pauseMs, () => void this.#learn());
    }
  }
  #missedNothing(): void {
    const { clock } = this.#options;
    this.#missedSince = undefined;
    this.#dateLessTime = clock.date() - clock.now();
  }

  /** For how long the machine may have been suspended since nothing was missed, in milliseconds. */
  get #suspendedMs(): number {
    const { clock } = this.#options;
    return Math.max(0, clock.date() - clock.now() - this.#dateLessTime);
  }

  /**
   * The latest time at which a command of an age can have been given: a connection from before the command is
   * closed in any case; at worst, one from shortly after it is closed too, and reconnects.
   */
  #timeOf(age: number): number {
    return this.#options.clock.now() - Math.max(0, age - this.#suspendedMs);
  }
}

const app = z.string().max(300);
const channel = z.string().max(300);
const userId = z.string().max(maxUserIdLength);

const options = z.object({
  code: z.int().min(1_000).max(4_999).optional(),
  /** A longer one is left out of the close frame, and reaches the client in the error before it. */
  reason: z.string().max(1_000).optional(),
  /** One that only a later release knows is as if the server had removed the user. */
  cause: z.enum(leaveReasons).optional().catch("removed"),
});

const remembered = { isRemembered: true };

/** See `AppConnections.closeUser`. */
const closeUserCommand = command(
  "closeUser",
  z.object({ app, userId, options }),
  remembered,
);

/** See `AppConnections.closeSession`. */
const closeSessionCommand = command(
  "closeSession",
  z.object({ app, sessionId: z.string().max(200), options }),
  remembered,
);

/** See `AppConnections.terminateUser`. */
const terminateUserCommand = command("terminateUser", z.object({ app, userId }), remembered);

/** See `AppConnections.reconnectUser`. */
const reconnectUserCommand = command("reconnectUser", z.object({ app, userId }), remembered);

/** See `AppConnections.reconnectPages`. */
const reconnectPagesCommand = command(
  "reconnectPages",
  z.object({ app, channel, isQuiet: z.boolean(), alsoIn: channel.optional() }),
);

/** The kinds of the commands of an app. */
export const appCommandKinds = {
  closeUser: closeUserCommand,
  closeSession: closeSessionCommand,
  terminateUser: terminateUserCommand,
  reconnectUser: reconnectUserCommand,
  reconnectPages: reconnectPagesCommand,
};

/** Something that all servers keep in memory was changed: read it again. */
export const changedCommand = command(
  "changed",
  z.object({ what: z.string().max(64), id: z.string().max(200).optional() }),
  { isResent: true },
);

/** The commands that a server carries out after it was partitioned. */
type LateCommand = Exclude<AppCommand, { name: "reconnectPages" }>;

/**
 * Carries out a command that came late: it closes those connections that were open when it was given.
 * What was signed for them before can be used until then. Connections that opened later are of users who were let in again.
 *
 * @param at when it was given, by the server's clock.
 */
export function closeEarlier(
  app: App,
  command: LateCommand,
  at: number,
): void {
  const { close, departure } = closingOf(command);
  const theirs = app.connections.all()
    .filter((connection) => connection.openedAt <= at && isMeant(command, connection));
  for (const connection of [...theirs]) connection.fail(close, departure);
}

function isMeant(command: LateCommand, connection: Connection): boolean {
  if (command.name === "closeSession") return connection.owner?.sessionId === command.sessionId;
  return belongsTo(command.userId, connection);
}

function closingOf(command: LateCommand): { close: Close; departure: Departure } {
  if (command.name === "reconnectUser") {
    return { close: closes.signAgain, departure: departures.closed };
  }
  if (command.name === "terminateUser") return { close: closes.terminated, departure: removed };
  const { options } = command;
  return { close: closeOf(options), departure: { ...removed, reason: options.cause ?? "removed" } };
}

const removed: Departure = { reason: "removed", grace: false, isRequested: true };
