import type { User } from "../accounts/accounts.ts";
import type { Clock } from "../realtime/timing/clock.ts";
import type { LogEntry, PresentMember } from "../realtime/server.ts";
import { accountsById, type AccountsOf } from "./accounts_by_id.ts";
import { batchesOf } from "./change_batches.ts";
import { personOf } from "./person.ts";
import type {
  Activity,
  Change,
  OnlineChanged,
  OnlineSnapshot,
  Person,
  Totals,
} from "../shared/online.ts";

/** Options of an {@link OnlinePublisher}. */
export interface PublisherOptions {
  /** Who is online now. */
  members: () => PresentMember[];
  accountsOf: AccountsOf;
  /** Whether an admin has a page open that shows it. */
  isWatched: () => boolean;
  publish: (changed: OnlineChanged) => void;
  clock: Clock;
  log: (entry: LogEntry) => void;
  /** The least time between two events, in milliseconds. */
  everyMs?: number;
}

/** Activity that waits for an event. Beyond this the oldest is not published; the log has it. */
const maxWaiting = 50;

/**
 * Publishes who joins and leaves, with names, in events of many changes each. It compares who is online
 * with what it published last, so no change is lost. While no admin's page is open it does no work.
 */
export class OnlinePublisher {
  readonly #options: PublisherOptions;
  readonly #everyMs: number;
  /** What was published last; empty while no page is open. */
  #people = new Map<string, Person>();
  #activity: Activity[] = [];
  /** Whether no page knows `#people`: the next page begins with a snapshot. */
  #isUnknown = false;
  #version = 0;
  #cancel: (() => void) | undefined;
  #work: Promise<unknown> = Promise.resolve();
  #stopped = false;

  constructor(options: PublisherOptions) {
    this.#options = options;
    this.#everyMs = options.everyMs ?? 500;
  }

  /** A user joined or left, or opened or closed a page. */
  changed(): void {
    if (this.#stopped || this.#cancel) return;
    if (!this.#options.isWatched()) return this.#forget();
    this.#cancel = this.#options.clock.after(this.#everyMs, () => {
      this.#cancel = undefined;
      this.#inTurn(() => this.#publish()).catch((error) => this.#failed(error));
    });
  }

  /** The activity log has a new entry, for the pages' tickers. */
  activityStored(entry: Activity): void {
    if (!this.#options.isWatched()) return;
    if (this.#activity.push(entry) > maxWaiting) this.#activity.shift();
    this.changed();
  }

  /** The name or role of a user changed. */
  identityChanged(id: string): void {
    const published = this.#people.get(id);
    // Kept, so that a leave in the meantime is published; another `since` publishes the name again.
    if (published) this.#people.set(id, { ...published, since: NaN });
    this.changed();
  }

  /** Everyone who is online. Events with a higher version continue it without a gap. */
  snapshot(): Promise<OnlineSnapshot> {
    return this.#inTurn(async () => {
      if (this.#isUnknown) await this.#refresh();
      else await this.#publish();
      const people = [...this.#people.values()];
      const at = this.#options.clock.date();
      return { version: this.#version, at, people, ...totalsOf(people) };
    });
  }

  /** Publishes nothing more. Resolves when a look-up that has begun has ended. */
  async stop(): Promise<void> {
    this.#stopped = true;
    this.#cancel?.();
    this.#forget();
    await this.#work.catch(() => {});
  }

  /** Runs work after the work before it: looking names up takes time. */
  #inTurn<Value>(work: () => Promise<Value>): Promise<Value> {
    const turn = this.#work.catch(() => {}).then(work);
    this.#work = turn.catch(() => {});
    return turn;
  }

  /** Brings `#people` up to date without an event. */
  async #refresh(): Promise<void> {
    for (const change of await this.#difference(this.#options.members())) this.#apply(change);
    this.#isUnknown = false;
  }

  async #publish(): Promise<void> {
    const members = this.#options.members();
    const activity = this.#activity.splice(0);
    const changes = [
      ...activity.map((entry): Change => ({ type: "activity", entry })),
      ...await this.#difference(members),
    ];
    for (const change of changes) this.#apply(change);
    this.#isUnknown = false;
    const totals = totalsOf([...this.#people.values()]);
    for (const batch of batchesOf(changes)) {
      const version = ++this.#version;
      if (!this.#stopped) this.#options.publish({ version, changes: batch, ...totals });
    }
  }

  async #difference(members: PresentMember[]): Promise<Change[]> {
    // A user who left and rejoined has another `since`, and is published like a new one.
    const joined = members.filter(({ userId, since }) => this.#people.get(userId)?.since !== since);
    const accounts = await accountsById(
      this.#options.accountsOf,
      joined.map(({ userId }) => userId),
    );
    const online = new Set(members.map(({ userId }) => userId));
    const left = [...this.#people.keys()].filter((id) => !online.has(id));
    return [
      ...left.map((id): Change => ({ type: "left", id })),
      ...members.flatMap((member) => this.#changeOf(member, accounts.get(member.userId))),
    ];
  }

  #changeOf(member: PresentMember, account: User | undefined): Change[] {
    const { userId: id, connections, lastSeenAt, since } = member;
    const published = this.#people.get(id);
    if (published?.since !== since) return [{ type: "joined", person: personOf(member, account) }];
    if (published.connections === connections) return [];
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
    this.#activity = [];
    this.#isUnknown = true;
  }

  /** The next event has the changes of this one: they are found by comparison. */
  #failed(error: unknown): void {
    this.#options.log({ level: "error", message: "Changes could not be published", error });
  }
}

function totalsOf(people: readonly Person[]): Totals {
  return {
    users: people.length,
    connections: people.reduce((sum, { connections }) => sum + connections, 0),
  };
}
