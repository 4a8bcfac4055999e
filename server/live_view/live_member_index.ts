import type { NamedUser } from "../accounts/accounts.ts";
import type { PresentMember } from "@/realtime/server.ts";
import type { OnlineRows } from "@/shared/large_channel.ts";
import type { Person } from "@/shared/online.ts";
import { onlineTableFilters, type OnlineTableQuery } from "@/shared/online_table.ts";
import { accountsById, currentPage, personOf } from "../presence/identity.ts";
import type { ChannelPublisherOptions } from "./channel_publisher.ts";
import { SortedPeople, timeSlices, type WindowRequest } from "./sorted_people.ts";

/** How many users are looked up without a pause. */
const atOnce = 1_000;

/** The list is brought up to date at most this often, in milliseconds. */
const refreshMs = 1_000;

/** Of how many people at once it is asked what they have open, and how often for one answer. */
const [askedAtOnce, mostAsked] = [1_000, 5];

/** Up to this many people the list is brought up to date each time that it is read by id. */
const smallUpTo = 5_000;

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
    return this.#serialize(() => this.#rows(query, request));
  }

  /**
   * People who match, in the order of their ids, as they are now; in a large channel, as they were at most a
   * second ago.
   *
   * @param request `path`: only people who have this page open. One request searches a bounded number of people,
   * so its answer can have fewer than the limit, or none, and a `next` all the same.
   */
  after(query: Omit<OnlineTableQuery, "sort">, request: AfterRequest): Promise<PeopleAfter> {
    return this.#serialize(() => this.#after(query, request));
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

  get #hasNews(): boolean {
    return this.#isOutdated || this.#changed.size + this.#renamed.size > 0;
  }

  #serialize<Value>(work: () => Promise<Value>): Promise<Value> {
    this.#keep();
    const last = this.#work.catch(() => {}).then(work);
    this.#work = last.catch(() => {});
    return last;
  }

  /** @param freshUpTo up to how many people the list is brought up to date even if it was a moment ago. */
  async #current(freshUpTo = 0): Promise<SortedPeople> {
    const source = this.#options.source();
    if (source !== this.#source) this.forget();
    this.#source = source;
    return await (this.#people ? this.#refreshed(this.#people, freshUpTo) : this.#made());
  }

  async #after(
    query: Omit<OnlineTableQuery, "sort">,
    { after, limit, path }: AfterRequest,
  ): Promise<PeopleAfter> {
    const list = await this.#current(smallUpTo);
    const found: Person[] = [];
    let last = after;
    for (let asked = 0; asked < mostAsked; asked++) {
      const size = path === undefined ? limit - found.length : askedAtOnce;
      const { people, hasMore } = await list.after(query, last, size);
      const now = await this.#withConnections(people, path);
      const matching = now.filter((person) =>
        (!query.only || onlineTableFilters[query.only].has(person)) &&
        (path === undefined || person.page?.path === path)
      );
      const taken = matching.slice(0, limit - found.length);
      found.push(...taken);
      if (taken.length < matching.length) return { people: found, next: found.at(-1)!.id };
      last = people.at(-1)?.id;
      if (!hasMore || last === undefined) return { people: found, next: null };
      if (found.length === limit) break;
    }
    return { people: found, next: last ?? null };
  }

  async #rows(query: OnlineTableQuery, request: WindowRequest): Promise<OnlineRows> {
    const people = await this.#current();
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

  async #refreshed(people: SortedPeople, freshUpTo: number): Promise<SortedPeople> {
    const { clock } = this.#options;
    const isRecent = clock.now() - this.#refreshedAt < refreshMs;
    if (isRecent && (people.size > freshUpTo || !this.#hasNews)) return people;
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

  /**
   * People as they are this moment: what takes a look at all connections is looked at for few.
   *
   * @param path the page that is given of those who have it open, instead of the one that they opened last.
   */
  async #withConnections(people: readonly Person[], path?: string): Promise<Person[]> {
    const ids = new Set(people.map(({ id }) => id));
    const { members } = await this.#options.presence.onAllServers(ids);
    const byId = new Map(members.map((member) => [member.userId, member]));
    return people.map((person) => {
      const member = byId.get(person.id);
      if (!member) return person;
      const { connections, lastSeenAt, activity } = member;
      const page = currentPage(member, path);
      return { ...person, connections, lastSeenAt, activity, ...page && { page } };
    });
  }
}

/** Which people are asked for, in the order of their ids. */
export interface AfterRequest {
  /** An id; absent: from the first. */
  after?: string;
  limit: number;
  /** Only people who have this page open. */
  path?: string;
}

/** People in the order of their ids. */
export interface PeopleAfter {
  people: Person[];
  /** The id after which the next ones come; null when there are no more. */
  next: string | null;
}
