/**
 * What happens to the users of a counted channel, in one order with numbers, for programs that follow it.
 *
 * {@link OnlineEvents} notes who joins, leaves or is changed, in a log of the last {@link mostKept} events, while
 * a program follows the channel and for a while after it. `event_streams.ts` sends them: each stream has a place
 * in the log, so that a slow reader costs no memory, and one that falls behind it is sent a snapshot.
 *
 * The promises: a program that follows from a snapshot on, through every event after it, has the members that all
 * servers have. An event can be in a snapshot already: it states who someone is now, so that it can be applied
 * twice. Where the log cannot go on without a gap, it begins again, with another name in its ids, and streams send
 * a snapshot.
 *
 * The trade-off: names and statuses are looked up, so that an event comes some milliseconds after the number moved,
 * and later while the database or another server is slow.
 *
 * @module
 */
import type { NamedUser } from "../accounts/accounts.ts";
import type { ChannelPresence } from "../presence/channel_presence.ts";
import { accountsById, type AccountsOf, identityIn } from "../presence/identity.ts";
import type { MemberChange } from "@/realtime/channels/member_list.ts";
import type { Member } from "@/realtime/protocol/member.ts";
import type { LeaveReason, PresentMember } from "@/realtime/server.ts";
import type { Clock } from "@/realtime/timing/clock.ts";
import { Throttle } from "@/realtime/timing/throttle.ts";
import type { UserActivity } from "@/shared/online.ts";

/** Events that are kept for a program that comes back. */
export const mostKept = 1_000;

/** Changes that wait for look-ups. With more, programs are sent a snapshot. */
const mostWaiting = 5_000;

/** How long events are noted after the last program has gone, in milliseconds. */
const keptMs = 120_000;

/** The least time between two numbers, in milliseconds. */
const countEveryMs = 1_000;

/** Who a person is, as a program may be told. Times are in milliseconds since 1970. */
export interface FollowedPerson {
  readonly id: string;
  readonly since: number | null;
  /** Null while it cannot be looked up. */
  readonly name: string | null;
  readonly detail: string | null;
  readonly url: string | null;
  readonly activity: UserActivity | null;
}

/** What happened to a person. */
export type OnlineEvent =
  & { readonly at: number }
  & (
    | { readonly type: "joined"; readonly person: FollowedPerson }
    | {
      readonly type: "left";
      readonly id: string;
      readonly seconds: number | null;
      readonly reason: LeaveReason | null;
    }
    | { readonly type: "renamed"; readonly person: FollowedPerson }
    | { readonly type: "activity"; readonly person: FollowedPerson }
  );

/** A change that was noted, before names are known. */
type Noted =
  & { readonly at: number; readonly id: string }
  & (
    | { readonly type: "joined"; readonly member: Member }
    | { readonly type: "left"; readonly member: Member; readonly reason: LeaveReason | null }
    | { readonly type: "renamed" | "activity" }
  );

/** What the events of a channel are made of. */
export interface OnlineEventsSource {
  /** The key of the counted channel. */
  key: string;
  presence: ChannelPresence;
  accountsOf: AccountsOf;
  /** Calls back when how far the number can be believed changes. @returns unsubscribe */
  onFreshness: (changed: () => void) => () => void;
  /** Calls back when the name of an account changed. @returns unsubscribe */
  onIdentity: (changed: (id: string) => void) => () => void;
  clock: Clock;
}

/** The events of a counted channel. */
export class OnlineEvents {
  readonly #options: OnlineEventsSource;
  readonly #count: Throttle;
  readonly #listeners = new Set<() => void>();
  #epoch = "";
  /** The events that are kept; the last one has the number {@link last}. */
  #kept: OnlineEvent[] = [];
  #last = 0;
  #counts = 0;
  #waiting: Noted[] = [];
  #isDescribing = false;
  /** How many members there are by what was noted. */
  #size = 0;
  #cancelRest = () => {};
  #stopListening: (() => void) | undefined;

  constructor(options: OnlineEventsSource) {
    this.#options = options;
    this.#count = new Throttle(options.clock, countEveryMs, {
      isWatched: () => this.#listeners.size > 0,
      publish: () => {
        this.#counts++;
        this.#notify();
      },
      failed: () => {},
    });
  }

  /** Names the log: another one begins with a snapshot. */
  get epoch(): string {
    return this.#epoch;
  }

  /** The number of the last event. */
  get last(): number {
    return this.#last;
  }

  /** Rises when the numbers have changed. */
  get counts(): number {
    return this.#counts;
  }

  /** The ids of the members now. */
  get userIds(): string[] {
    return this.#options.presence.now.userIds;
  }

  /** The id of an event, for programs. */
  idOf(event: number): string {
    return `${this.#epoch}-${event}`;
  }

  /** The number of the event with an id, if all that came after it are kept. */
  eventOf(id: string | null): number | undefined {
    const [, epoch, number] = /^(\w{1,64})-(\d{1,15})$/.exec(id ?? "") ?? [];
    const event = Number(number);
    return this.#epoch !== "" && epoch === this.#epoch && event <= this.#last &&
        this.reaches(event)
      ? event
      : undefined;
  }

  /** Whether all events after one are kept. */
  reaches(event: number): boolean {
    return event >= this.#last - this.#kept.length;
  }

  /** Some events after one, in their order. */
  after(event: number, most: number): OnlineEvent[] {
    const start = this.#kept.length - (this.#last - event);
    return this.#kept.slice(start, start + most);
  }

  /** Follows the channel, and calls back after each event, and when the numbers have changed. @returns stop */
  follow(changed: () => void): () => void {
    this.#cancelRest();
    this.#begin();
    this.#listeners.add(changed);
    return () => {
      if (!this.#listeners.delete(changed) || this.#listeners.size > 0) return;
      this.#cancelRest = this.#options.clock.after(keptMs, () => this.stop());
    };
  }

  /** Who some members are now; nothing of those who no longer are. */
  async people(ids: readonly string[]): Promise<FollowedPerson[]> {
    const [accounts, present] = await Promise.all([this.#accounts(ids), this.#present(ids)]);
    return ids.flatMap((id) => {
      const member = this.#options.presence.member(id);
      return member ? [this.#personOf(member, accounts, present.get(id))] : [];
    });
  }

  /** Keeps no earlier event: programs that follow are sent a snapshot. */
  forget(): void {
    if (this.#stopListening) this.#restart();
  }

  /** Notes nothing more until it is followed. */
  stop(): void {
    this.#cancelRest();
    this.#count.rest();
    this.#stopListening?.();
    this.#stopListening = undefined;
    this.#epoch = "";
    this.#kept = [];
    this.#waiting = [];
  }

  #begin(): void {
    if (this.#stopListening) return;
    const { onFreshness, onIdentity, presence } = this.#options;
    this.#restart();
    const stops = [
      presence.onMembers((change) => this.#changed(change)),
      presence.onPresence(({ users }) => {
        // Members came or went that no change told of, as when an app is replaced.
        if (users !== this.#size) this.#restart();
        this.#count.changed();
      }),
      presence.onRemoved(() => this.#restart()),
      presence.onActivity((id) => this.#note({ type: "activity", id, at: this.#now })),
      presence.onActiveUsers(() => this.#count.changed()),
      onFreshness(() => this.#count.changed()),
      onIdentity((id) => this.#note({ type: "renamed", id, at: this.#now })),
    ];
    this.#stopListening = () => stops.forEach((stop) => stop());
  }

  get #now(): number {
    return this.#options.clock.date();
  }

  /** Begins another log. */
  #restart(): void {
    this.#epoch = crypto.randomUUID().replaceAll("-", "").slice(0, 16);
    this.#kept = [];
    this.#waiting = [];
    this.#last = 0;
    this.#size = this.#options.presence.counts.users;
    this.#notify();
  }

  #changed(change: MemberChange): void {
    const at = this.#now;
    if ("added" in change) {
      this.#size++;
      this.#note({ type: "joined", id: change.added.id, member: change.added, at });
    } else if ("removed" in change) {
      const { member, reason = null, removed: id } = change;
      this.#size--;
      this.#note({ type: "left", id, member, reason, at });
    } else this.#note({ type: "renamed", id: change.updated.id, at });
  }

  #note(noted: Noted): void {
    if (this.#waiting.push(noted) > mostWaiting) return this.#restart();
    if (!this.#isDescribing) void this.#describe();
  }

  /** Looks up what is needed, for all changes of a tick together, and adds them to the log. Never rejects. */
  async #describe(): Promise<void> {
    this.#isDescribing = true;
    await Promise.resolve();
    while (this.#waiting.length > 0) {
      const epoch = this.#epoch;
      const noted = this.#waiting.splice(0);
      const idsOf = (...types: Noted["type"][]) =>
        noted.filter(({ type }) => types.includes(type)).map(({ id }) => id);
      const [accounts, present] = await Promise.all([
        this.#accounts(idsOf("joined", "renamed")),
        this.#present(idsOf("activity")),
      ]);
      if (epoch !== this.#epoch) continue;
      const events = noted.flatMap((one) => this.#eventOf(one, accounts, present));
      this.#kept.push(...events);
      this.#kept.splice(0, this.#kept.length - mostKept);
      this.#last += events.length;
      if (events.length > 0) this.#notify();
    }
    this.#isDescribing = false;
  }

  #eventOf(
    noted: Noted,
    accounts: Accounts,
    present: ReadonlyMap<string, PresentMember>,
  ): OnlineEvent[] {
    const { at, id, type } = noted;
    if (noted.type === "joined") {
      return [{ type: "joined", at, person: this.#personOf(noted.member, accounts) }];
    }
    if (noted.type === "left") {
      const { joinedAt } = noted.member;
      const seconds = joinedAt === undefined
        ? null
        : Math.max(0, Math.round((at - joinedAt) / 1_000));
      return [{ type: "left", at, id, seconds, reason: noted.reason }];
    }
    const member = this.#options.presence.member(id);
    if (!member) return [];
    const person = this.#personOf(member, accounts, present.get(id));
    return [{ type: type === "renamed" ? type : "activity", at, person }];
  }

  #personOf(member: Member, accounts: Accounts, present?: PresentMember): FollowedPerson {
    const { id, joinedAt = null } = member;
    const { name, detail = null, url = null } = identityIn(
      this.#options.key,
      id,
      accounts?.get(id),
      member,
    );
    const activity = present?.activity ?? null;
    return { id, since: joinedAt, name: accounts ? name : null, detail, url, activity };
  }

  async #accounts(ids: readonly string[]): Promise<Accounts> {
    if (ids.length === 0) return new Map();
    return await accountsById(this.#options.accountsOf, ids).catch(() => undefined);
  }

  async #present(ids: readonly string[]): Promise<Map<string, PresentMember>> {
    if (ids.length === 0) return new Map();
    const { presence } = this.#options;
    const { members } = await presence.usersOnAllServers(new Set(ids))
      .catch(() => ({ members: presence.users(new Set(ids)) }));
    return new Map(members.map((member) => [member.userId, member]));
  }

  #notify(): void {
    for (const listener of [...this.#listeners]) listener();
  }
}

/** Accounts by id; undefined when the database did not answer. */
type Accounts = Map<string, NamedUser> | undefined;
