import type { User } from "../accounts/accounts.ts";
import type { Clock } from "../realtime/timing/clock.ts";
import type { LogEntry, PresentMember } from "../realtime/server.ts";
import { partsOf } from "./changes.ts";
import { personOf } from "./person.ts";
import type {
  Activity,
  Change,
  OnlineChanged,
  OnlineSnapshot,
  Person,
  Totals,
} from "../shared/online.ts";

/** What the publisher works with. */
export interface PublisherOptions {
  /** Who is online now. */
  members: () => PresentMember[];
  /** The accounts among these ids. */
  accountsOf: (ids: readonly string[]) => Promise<User[]>;
  /** Whether an admin listens now. */
  isWatched: () => boolean;
  publish: (changed: OnlineChanged) => void;
  clock: Clock;
  log: (entry: LogEntry) => void;
  /** How often admins hear of changes at most, in milliseconds. */
  everyMs?: number;
}

/** RecentActivity and goings beyond these are not told one by one; the log has them. */
const maxNotes = 50;

/**
 * Tells admins who comes and goes, with names, in events that hold many changes. It compares who is
 * online with what it told before, so that nothing is ever missed; what nobody listens to costs
 * nothing.
 */
export class OnlinePublisher {
  readonly #options: PublisherOptions;
  readonly #everyMs: number;
  /** What was told; empty while nobody listens. */
  #people = new Map<string, Person>();
  #notes: Activity[] = [];
  /** Whether nobody has heard of `#people`: whoever listens next begins with a snapshot. */
  #forgotten = false;
  #version = 0;
  #cancel: (() => void) | undefined;
  #work: Promise<unknown> = Promise.resolve();
  #stopped = false;

  constructor(options: PublisherOptions) {
    this.#options = options;
    this.#everyMs = options.everyMs ?? 500;
  }

  /** Somebody joined or left, or a page was opened or closed. */
  changed(): void {
    if (this.#stopped || this.#cancel) return;
    if (!this.#options.isWatched()) return this.#forget();
    this.#cancel = this.#options.clock.after(this.#everyMs, () => {
      this.#cancel = undefined;
      this.#inTurn(() => this.#tell()).catch((error) => this.#failed(error));
    });
  }

  /** A line for the tickers. */
  note(entry: Activity): void {
    if (!this.#options.isWatched()) return;
    if (this.#notes.push(entry) > maxNotes) this.#notes.shift();
    this.changed();
  }

  /** Name or role of a person changed. */
  renamed(id: string): void {
    const told = this.#people.get(id);
    // Kept, so that a leave meanwhile is told, but as if another had come: so the name is told anew.
    if (told) this.#people.set(id, { ...told, since: NaN });
    this.changed();
  }

  /** Everybody who is online. Events with a higher version follow it without a gap. */
  snapshot(): Promise<OnlineSnapshot> {
    return this.#inTurn(async () => {
      if (this.#forgotten) await this.#recall();
      else await this.#tell();
      const people = [...this.#people.values()];
      const at = this.#options.clock.date();
      return { version: this.#version, at, people, ...totalsOf(people) };
    });
  }

  /** Nothing is told from now on. Resolves when what was under way has ended. */
  async stop(): Promise<void> {
    this.#stopped = true;
    this.#cancel?.();
    this.#forget();
    await this.#work.catch(() => {});
  }

  /** One at a time: names are looked up meanwhile. */
  #inTurn<Value>(work: () => Promise<Value>): Promise<Value> {
    const turn = this.#work.catch(() => {}).then(work);
    this.#work = turn.catch(() => {});
    return turn;
  }

  /** Finds out who is online without telling anybody. */
  async #recall(): Promise<void> {
    for (const change of await this.#difference(this.#options.members())) this.#apply(change);
    this.#forgotten = false;
  }

  async #tell(): Promise<void> {
    const members = this.#options.members();
    const notes = this.#notes.splice(0);
    const changes = [
      ...notes.map((entry): Change => ({ type: "activity", entry })),
      ...await this.#difference(members),
    ];
    for (const change of changes) this.#apply(change);
    this.#forgotten = false;
    const totals = totalsOf([...this.#people.values()]);
    for (const part of partsOf(changes)) {
      const version = ++this.#version;
      if (!this.#stopped) this.#options.publish({ version, changes: part, ...totals });
    }
  }

  async #difference(members: PresentMember[]): Promise<Change[]> {
    // Whoever left and came back since has another time of coming, and is told anew like the others.
    const came = members.filter(({ userId, since }) => this.#people.get(userId)?.since !== since);
    const accounts = await this.#options.accountsOf(came.map(({ userId }) => userId));
    const byId = new Map(accounts.map((account) => [account.id, account]));
    const present = new Set(members.map(({ userId }) => userId));
    const left = [...this.#people.keys()].filter((id) => !present.has(id));
    return [
      ...left.map((id): Change => ({ type: "left", id })),
      ...members.flatMap((member) => this.#changeOf(member, byId.get(member.userId))),
    ];
  }

  #changeOf(member: PresentMember, account: User | undefined): Change[] {
    const { userId: id, connections, lastSeenAt, since } = member;
    const told = this.#people.get(id);
    if (told?.since !== since) return [{ type: "joined", person: personOf(member, account) }];
    if (told.connections === connections) return [];
    return [{ type: "changed", id, connections, lastSeenAt }];
  }

  #apply(change: Change): void {
    if (change.type === "joined") this.#people.set(change.person.id, change.person);
    if (change.type === "left") this.#people.delete(change.id);
    if (change.type === "changed") {
      const { id, connections, lastSeenAt } = change;
      const person = this.#people.get(id);
      if (person) this.#people.set(id, { ...person, connections, lastSeenAt });
    }
  }

  #forget(): void {
    this.#people = new Map();
    this.#notes = [];
    this.#forgotten = true;
  }

  /** What was not told is told with the next change: the comparison finds it. */
  #failed(error: unknown): void {
    this.#options.log({ level: "error", message: "Admins could not be told of changes", error });
  }
}

function totalsOf(people: readonly Person[]): Totals {
  return {
    users: people.length,
    connections: people.reduce((sum, { connections }) => sum + connections, 0),
  };
}
