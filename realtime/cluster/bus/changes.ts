import { changedCommand, type Commands } from "./commands.ts";
import type { Bus, BusOptions } from "./bus.ts";
import { readRequest } from "./requests.ts";

/** What servers keep in memory, and read again when another server has changed it. */
export type SharedThing =
  /** The apps that the settings name; they are read again by request only. */
  | "settings"
  /** The apps that admins added, changed or removed, and the secret of the pages' own. */
  | "apps"
  /** That an app has had a user. */
  | "first_app_user"
  | "alerts"
  | "embeds"
  | "blocked_people"
  /** One was revoked. */
  | "api_tokens"
  /** The name or role of an account, which has the id. */
  | "account"
  /** A person with the id is forgotten. */
  | "forgotten_person";

/** The pause before something is read again that could not be read, in milliseconds. */
const retryMs = 5_000;

/** Has other servers read again what this one has changed. */
export class Changes {
  readonly #bus: Bus;
  readonly #commands: Commands;
  readonly #options: BusOptions;
  readonly #reading = new Map<string, Reading>();
  #accountChanged: (id: string) => void = () => {};
  /** The ids of people who are to be forgotten. */
  #forgotten: string[] = [];
  readonly #stopListening: () => void;

  constructor(bus: Bus, commands: Commands, options: BusOptions) {
    this.#bus = bus;
    this.#commands = commands;
    this.#options = options;
    bus.respond(readRequest, async ({ what }) => {
      await this.#reading.get(what)?.ended;
      return { isRead: true };
    });
    commands.handle(changedCommand, ({ what, id }) => this.#changed(what, id));
    // What was changed meanwhile is not known.
    this.#stopListening = options.link.onChange((isUp) => isUp && this.readAll());
  }

  /**
   * Reads again all but the settings. Call it when all is registered: others may have changed it since this server
   * read it at its start.
   */
  readAll(): void {
    for (const [what, reading] of this.#reading) if (what !== "settings") reading.start();
  }

  /**
   * This server has changed something, and stored it. Resolves when the others have read it, or had the time of a
   * request to: the page that follows a form can come from any of them. Never rejects.
   *
   * @param id of the one thing that changed
   */
  async changed(what: SharedThing, id?: string): Promise<void> {
    this.#commands.send(changedCommand, { what, id });
    await this.#bus.ask(readRequest, { what });
  }

  /**
   * Reads something again when another server has changed it, and, except for the settings, whenever the
   * connection to the engine is back; one reading at a time, and again some seconds after it was rejected.
   */
  onChanged(
    what: Exclude<SharedThing, "account" | "forgotten_person">,
    read: () => void | Promise<void>,
  ): void {
    this.#reading.set(what, new Reading(what, read, this.#options));
  }

  /** Is called when another server has changed one account; one listener, which must not throw. */
  onAccountChanged(listener: (id: string) => void): void {
    this.#accountChanged = listener;
  }

  /** Forgets a person whom another server forgets; one listener. */
  onForgotten(forget: (id: string) => Promise<void>): void {
    const read = async () => {
      for (const id of this.#forgotten.splice(0)) await forget(id);
    };
    this.#reading.set("forgotten_person", new Reading("forgotten_person", read, this.#options));
  }

  /** Reads nothing more. */
  stop(): void {
    this.#stopListening();
    for (const reading of this.#reading.values()) reading.stop();
    this.#accountChanged = () => {};
  }

  #changed(what: string, id: string | undefined): void {
    if (what === "forgotten_person" && id !== undefined) this.#forgotten.push(id);
    this.#reading.get(what)?.start();
    if (what === "account" && id !== undefined) this.#accountChanged(id);
  }
}

/** Reads one thing, once for all changes that come while it is read. */
class Reading {
  readonly #what: string;
  readonly #read: () => void | Promise<void>;
  readonly #options: BusOptions;
  #isReading = false;
  #isDue = false;
  #isStopped = false;
  #cancel = () => {};
  #running: Promise<void> = Promise.resolve();

  constructor(
    what: string,
    read: () => void | Promise<void>,
    options: BusOptions,
  ) {
    this.#what = what;
    this.#read = read;
    this.#options = options;
  }

  /** Resolves when it is read as it was changed last, or could not be. */
  get ended(): Promise<void> {
    return this.#running;
  }

  start(): void {
    this.#isDue = true;
    if (!this.#isReading) this.#running = this.#run();
  }

  stop(): void {
    this.#isStopped = true;
    this.#cancel();
  }

  async #run(): Promise<void> {
    this.#isReading = true;
    this.#cancel();
    while (this.#isDue && !this.#isStopped) {
      this.#isDue = false;
      try {
        await this.#read();
      } catch (error) {
        const { clock, log } = this.#options;
        const message = "What another server has changed could not be read";
        log({ level: "warn", message, what: this.#what, error });
        if (!this.#isStopped) this.#cancel = clock.after(retryMs, () => this.start());
      }
    }
    this.#isReading = false;
  }
}
