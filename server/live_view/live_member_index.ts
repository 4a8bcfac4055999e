import type { NamedUser } from "../accounts/accounts.ts";
import type { PresentMember } from "@/realtime/server.ts";
import type { OnlineRows } from "@/shared/large_channel.ts";
import type { Person } from "@/shared/online.ts";
import type { OnlineTableQuery } from "@/shared/online_table.ts";
import { accountsById, currentPage, personOf } from "../presence/identity.ts";
import type { ChannelPublisherOptions } from "./channel_publisher.ts";
import { SortedPeople, timeSlices, type WindowRequest } from "./sorted_people.ts";

/** How many users are looked up without a pause. */
const atOnce = 1_000;

/** The list is brought up to date at most this often, in milliseconds. */
const refreshMs = 1_000;

/** When a list that no page asked for again is dropped, in milliseconds. */
const keptMs = 60_000;

/**
 * Who is in a channel with many users, searched and sorted on the server, for pages that ask for the rows
 * that they show. It is made when a page asks first, with pauses so that others never wait for it long;
 * what changes is noted, and applied when a page asks again. Without pages it does nothing.
 */
export class LiveMemberIndex {
  readonly #options: ChannelPublisherOptions;
  readonly #pause: () => Promise<void>;
  #people: SortedPeople | undefined;
  /** Who has to be looked at again. */
  #changed = new Set<string>();
  /** Who has to be looked up by name again. */
  #renamed = new Set<string>();
  /** Whether others than those noted may have joined and left. */
  #isOutdated = false;
  #source: string | undefined;
  #refreshedAt = -Infinity;
  #work: Promise<unknown> = Promise.resolve();
  #cancel = () => {};

  constructor(options: ChannelPublisherOptions) {
    this.#options = options;
    this.#pause = options.pause ?? timeSlices(options.clock);
  }

  /** A user joined or left, opened or closed a page, or is active, idle or neither from now on. */
  changed(userId: string): void {
    if (this.#people) this.#changed.add(userId);
  }

  /** Users joined or left, here or on another server. */
  changedRemotely(): void {
    this.#isOutdated = this.#options.areSeveral ?? false;
  }

  /** The name or role of a user changed. */
  identityChanged(userId: string): void {
    if (this.#people) this.#renamed.add(userId);
  }

  /** The rows of a list, as they were at most a second ago. */
  rows(query: OnlineTableQuery, request: WindowRequest): Promise<OnlineRows> {
    this.#keep();
    const last = this.#work.catch(() => {}).then(() => this.#rows(query, request));
    this.#work = last.catch(() => {});
    return last;
  }

  /** Drops the list; it is made again when a page asks. */
  forget(): void {
    this.#cancel();
    this.#people = undefined;
    this.#changed.clear();
    this.#renamed.clear();
  }

  #keep(): void {
    this.#cancel();
    this.#cancel = this.#options.clock.after(keptMs, () => this.forget());
  }

  async #rows(query: OnlineTableQuery, request: WindowRequest): Promise<OnlineRows> {
    const source = this.#options.source();
    if (source !== this.#source) this.forget();
    this.#source = source;
    const people = await (this.#people ? this.#refreshed(this.#people) : this.#made());
    const window = await people.window(query, request);
    return {
      ...window,
      at: this.#options.clock.date(),
      people: await this.#withConnections(window.people),
    };
  }

  async #made(): Promise<SortedPeople> {
    const { clock, presence } = this.#options;
    const people = this.#people = new SortedPeople(this.#pause);
    this.#refreshedAt = clock.now();
    const { userIds } = presence.now;
    try {
      for (let start = 0; start < userIds.length; start += atOnce) {
        await this.#read(people, new Set(userIds.slice(start, start + atOnce)));
        await this.#pause();
      }
    } catch (error) {
      this.forget();
      throw error;
    }
    return people;
  }

  async #refreshed(people: SortedPeople): Promise<SortedPeople> {
    const { clock } = this.#options;
    if (clock.now() - this.#refreshedAt < refreshMs) return people;
    this.#refreshedAt = clock.now();
    if (this.#isOutdated) this.#noteOthers(people);
    const [changed, renamed] = [this.#changed, this.#renamed];
    [this.#changed, this.#renamed] = [new Set(), new Set()];
    try {
      await this.#read(people, changed.union(renamed), renamed);
    } catch (error) {
      this.#changed = this.#changed.union(changed);
      this.#renamed = this.#renamed.union(renamed);
      throw error;
    }
    return people;
  }

  /** Notes who is on one list only: the list of the rows, or the list of all servers. */
  #noteOthers(people: SortedPeople): void {
    this.#isOutdated = false;
    const now = new Set(this.#options.presence.now.userIds);
    for (const userId of now.symmetricDifference(new Set(people.ids()))) this.#changed.add(userId);
  }

  /** Looks at users again. @param renamed users whose name is looked up even if it is known */
  async #read(
    people: SortedPeople,
    userIds: ReadonlySet<string>,
    renamed: ReadonlySet<string> = new Set(),
  ): Promise<void> {
    const { channel, presence, accountsOf } = this.#options;
    const { members: present, missing } = await presence.usersOnAllServers(userIds);
    for (const userId of missing) this.#changed.add(userId);
    const isKnown = ({ userId, since }: PresentMember) =>
      people.get(userId)?.since === since && !renamed.has(userId);
    const unknown = present.filter((user) => !isKnown(user)).map(({ userId }) => userId);
    const accounts: Map<string, NamedUser> = await accountsById(accountsOf, unknown);
    const updated = present.map((user): Person => {
      const { userId, connections, lastSeenAt, activity } = user;
      const person = isKnown(user) ? people.get(userId) : undefined;
      if (person) return { ...person, connections, lastSeenAt, activity };
      return personOf(channel, user, accounts.get(userId), this.#source);
    });
    const online = new Set([...present.map(({ userId }) => userId), ...missing]);
    await people.update(updated, [...userIds].filter((id) => !online.has(id)));
  }

  /** People as they are this moment: what takes a look at all connections is looked at for few. */
  async #withConnections(people: readonly Person[]): Promise<Person[]> {
    const ids = new Set(people.map(({ id }) => id));
    const { members } = await this.#options.presence.onAllServers(ids);
    const byId = new Map(members.map((member) => [member.userId, member]));
    return people.map((person) => {
      const member = byId.get(person.id);
      if (!member) return person;
      const { connections, lastSeenAt, activity } = member;
      const page = currentPage(member);
      return { ...person, connections, lastSeenAt, activity, ...page && { page } };
    });
  }
}
