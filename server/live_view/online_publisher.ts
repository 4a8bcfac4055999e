import type { NamedUser } from "../accounts/accounts.ts";
import { combinedActivity } from "@/realtime/channels/user_activity.ts";
import { Throttle } from "@/realtime/timing/throttle.ts";
import type { PresentMember } from "@/realtime/server.ts";
import { accountsById, currentPage, personOf } from "../presence/identity.ts";
import type { ChannelPublisherOptions } from "./channel_publisher.ts";
import {
  activeIn,
  type Activity,
  type Change,
  minimumConnections,
  type OnlineSnapshot,
  type Person,
  type Totals,
} from "@/shared/online.ts";

/** Well below the largest event that the server sends. */
const maxBytes = 8_000;

/** Splits changes, in their order, into batches that fit into one event each. */
export function batchesOf<Change>(changes: readonly Change[]): Change[][] {
  const batches: Change[][] = [];
  let room = 0;
  for (const change of changes) {
    const bytes = new TextEncoder().encode(JSON.stringify(change)).length + 1;
    if (bytes > room) {
      batches.push([]);
      room = maxBytes;
    }
    batches.at(-1)!.push(change);
    room -= bytes;
  }
  return batches;
}

/** The least time between two events, in milliseconds. */
const everyMs = 500;

/** How long after a failure to look up who joined it is tried again, in ms. */
const retryMs = 5_000;

/** Activity that waits for an event. Beyond this the oldest is not published; the log has it. */
const maxWaiting = 50;

/**
 * Publishes who joins and leaves, with names, in events of many changes each. It compares who is online
 * with what it published last, so no change is lost. While no admin's page is open it does no work.
 */
export class OnlinePublisher {
  readonly #options: ChannelPublisherOptions;
  readonly #throttle: Throttle;
  /** What was published last. Replaced by an empty one when no page is open; changed in turn only. */
  #people = new Map<string, Person>();
  /** The source that the people of an app have in it. */
  #source: string | undefined;
  /** Who has to be looked up again. */
  #renamed = new Set<string>();
  #activity: Activity[] = [];
  /** Whether no page knows `#people`: the next page begins with a snapshot. */
  #isUnknown = false;
  readonly #epoch = crypto.randomUUID();
  #version = 0;
  #work: Promise<unknown> = Promise.resolve();

  constructor(options: ChannelPublisherOptions) {
    this.#options = options;
    const { clock, isWatched } = options;
    this.#throttle = new Throttle(clock, everyMs, {
      isWatched,
      unwatched: () => this.#forget(),
      publish: () => this.#serialize(() => this.#publish()),
      failed: (error) => this.#failed(error),
    });
  }

  /** A user joined or left, opened, closed or changed a page; or the source is another one. */
  changed(): void {
    // The first change of a calm time is published at once: pages show the user without a name until then.
    this.#throttle.changed();
  }

  /** The activity log has a new entry, for the pages' tickers. */
  activityStored(entry: Activity): void {
    if (!this.#options.isWatched()) return;
    if (this.#activity.push(entry) > maxWaiting) this.#activity.shift();
    this.changed();
  }

  /** The name or role of a user changed. */
  identityChanged(id: string): void {
    this.#renamed.add(id);
    this.changed();
  }

  /** Everyone who is online. Events with a higher version continue it without a gap. */
  snapshot(): Promise<OnlineSnapshot> {
    return this.#serialize(async () => {
      const { people } = await (this.#isUnknown ? this.#update() : this.#publish());
      const at = this.#options.clock.date();
      return { epoch: this.#epoch, version: this.#version, at, people, ...totalsOf(people) };
    });
  }

  /** Forgets what was published, and does nothing until a change or a request for a snapshot. */
  rest(): void {
    this.#forget();
  }

  /** Publishes nothing more. Resolves when a look-up that has begun has ended. */
  async stop(): Promise<void> {
    this.#throttle.stop();
    this.#forget();
    await this.#work.catch(() => {});
  }

  /** Runs work after the work before it: looking names up takes time. */
  #serialize<Value>(work: () => Promise<Value>): Promise<Value> {
    const last = this.#work.catch(() => {}).then(work);
    this.#work = last.catch(() => {});
    return last;
  }

  async #publish(): Promise<Update> {
    const isUnknown = this.#isUnknown;
    const update = await this.#update();
    if (this.#people !== update.list) return update;
    // Each page begins with a snapshot: to none of them is who was online before a change.
    if (isUnknown) update.changes = [];
    const activity = this.#activity.splice(0);
    const changes = [
      ...activity.map((entry): Change => ({ type: "activity", entry })),
      ...update.changes,
    ];
    for (const batch of batchesOf(changes)) {
      this.#options.publishChanges({
        epoch: this.#epoch,
        version: ++this.#version,
        changes: batch,
      });
    }
    return update;
  }

  /**
   * Brings the list up to date. While names are looked up, it can be forgotten: what is found is then of a
   * list that is no longer kept.
   */
  async #update(): Promise<Update> {
    const list = this.#people;
    const { channel, presence } = this.#options;
    const answer = await presence.onAllServers();
    const known = answer.members.map((member) =>
      answer.isComplete ? member : asActiveAs(list.get(member.userId), member)
    );
    const members = [...known, ...answer.missing.flatMap((id) => stayed(list.get(id)))];
    const source = this.#options.source();
    const renamed = this.#renamed;
    this.#renamed = new Set();
    // A user who left and rejoined has another `since`, and is published like a new one.
    const joined = members.filter(({ userId, since }) => {
      const person = list.get(userId);
      return person?.since !== since || renamed.has(userId) ||
        (person.kind === "foreign" && source !== this.#source);
    });
    let accounts: Map<string, NamedUser>;
    try {
      accounts = await accountsById(
        this.#options.accountsOf,
        joined.map(({ userId }) => userId),
      );
    } catch (error) {
      this.#renamed = this.#renamed.union(renamed);
      throw error;
    }
    this.#source = source;
    const personFor = (member: PresentMember) =>
      personOf(channel, member, accounts.get(member.userId), source);
    const changes = changesOf(list, members, new Map(joined.map((one) => [one, personFor(one)])));
    for (const change of changes) apply(list, change);
    if (this.#people === list) this.#isUnknown = false;
    return { list, changes, people: [...list.values()] };
  }

  #forget(): void {
    this.#throttle.rest();
    this.#people = new Map();
    this.#renamed = new Set();
    this.#activity = [];
    this.#isUnknown = true;
    // A page that knows the list must not continue it.
    this.#version++;
  }

  /** The next event has the changes of this one: they are found by comparison. */
  #failed(error: unknown): void {
    this.#options.log({ level: "error", message: "Changes could not be published", error });
    this.#throttle.changed(retryMs);
  }
}

/** A person of whose server nothing is known stays as on the list. */
function stayed(known: Person | undefined): PresentMember[] {
  if (!known) return [];
  const { id: userId, since, connections, lastSeenAt, page, activity } = known;
  const pages = page && [{ path: page.path, device: page.device, since: 0 }];
  return [{ userId, since, connections, lastSeenAt, ...pages && { pages }, activity }];
}

/** While a server does not answer, no one becomes idle or unknown: an active tab may be there. */
function asActiveAs(known: Person | undefined, member: PresentMember): PresentMember {
  const activity = combinedActivity([known?.activity, member.activity]);
  return { ...member, ...activity && { activity } };
}

/** A list, as it is now, and what was changed in it. */
interface Update {
  list: Map<string, Person>;
  people: Person[];
  changes: Change[];
}

/** What has to change in a list, so that it has these members. @param joined those among them who did */
function changesOf(
  list: ReadonlyMap<string, Person>,
  members: readonly PresentMember[],
  joined: ReadonlyMap<PresentMember, Person>,
): Change[] {
  const online = new Set(members.map(({ userId }) => userId));
  const left = [...list.keys()].filter((id) => !online.has(id));
  return [
    ...left.map((id): Change => ({ type: "left", id })),
    ...members.flatMap((member): Change[] => {
      const { userId: id, connections, lastSeenAt, activity } = member;
      const person = joined.get(member);
      if (person) return [{ type: "joined", person }];
      const page = currentPage(member);
      const before = list.get(id);
      if (
        before?.connections === connections && isSamePage(before.page, page) &&
        before.activity?.state === activity?.state
      ) return [];
      return [{
        type: "changed",
        id,
        connections,
        lastSeenAt,
        ...page && { page },
        ...activity && { activity },
      }];
    }),
  ];
}

function isSamePage(before: Person["page"], after: Person["page"]): boolean {
  return before?.path === after?.path && before?.device === after?.device;
}

function apply(list: Map<string, Person>, change: Change): void {
  if (change.type === "joined") list.set(change.person.id, change.person);
  if (change.type === "left") list.delete(change.id);
  if (change.type === "changed") {
    const { id, connections, lastSeenAt, page, activity } = change;
    const person = list.get(id);
    if (person) list.set(id, { ...person, connections, lastSeenAt, page, activity });
  }
}

function totalsOf(people: readonly Person[]): Totals {
  return {
    users: people.length,
    connections: people.reduce((sum, person) => sum + minimumConnections(person), 0),
    active: activeIn(people),
  };
}
