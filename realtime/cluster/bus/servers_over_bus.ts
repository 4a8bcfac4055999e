import type { Clock } from "../../timing/clock.ts";
import type { z } from "zod";
import type { OpenPages } from "../../channels/members.ts";
import type { ActiveUsers } from "../../channels/user_activity.ts";
import type { OpenPage, Owner, UserActivity } from "../../connections/connection.ts";
import type {
  Answers,
  AppCommand,
  ClaimResult,
  OtherServers,
  RemoteMember,
} from "../../other_servers.ts";
import { serverNumberOf } from "../../protocol/socket_id.ts";
import { appCommandKinds, type Commands } from "./commands.ts";
import type { AllResponses, Bus } from "./bus.ts";
import type { Command } from "./messages.ts";
import * as requests from "./requests.ts";

/** Clocks that differ from what was known by less are taken for unchanged, in milliseconds. */
const jitterMs = 1_000;

/**
 * How far the clocks of other servers are behind this one's. A response takes a moment, so each gives another
 * number: the first is kept as long as it is about right, so that what happened at one time keeps its time.
 */
class ClockOffsets {
  readonly #clock: Clock;
  readonly #offsets = new Map<string, number>();

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** Milliseconds to add to the times of a server. @param now its date, as it answered */
  offsetOf(server: string, now: number): number {
    const offset = Math.round(this.#clock.date() - now);
    const before = this.#offsets.get(server) ?? 0;
    if (Math.abs(offset - before) < jitterMs) return before;
    // Servers come and go, and each has another number.
    if (this.#offsets.size >= mostServers) this.#offsets.clear();
    this.#offsets.set(server, offset);
    return offset;
  }
}

const mostServers = 1_000;

/** How clients of an app fare at one server. */
export type AppStatusResponse = z.infer<typeof requests.appStatusRequest.response>;

/** The response to a request of a page: its status, and its body as JSON text. */
export type PageResponse = z.infer<typeof requests.pageRequest.response>;

/** The other servers, asked over the bus. */
export class ServersOverBus implements OtherServers {
  readonly #bus: Bus;
  readonly #commands: Commands;
  readonly #clocks: ClockOffsets;

  constructor(bus: Bus, commands: Commands, clock: Clock) {
    this.#bus = bus;
    this.#commands = commands;
    this.#clocks = new ClockOffsets(clock);
  }

  async claimSocket(app: string, socket: string, owner: Owner): Promise<ClaimResult> {
    const { userId: user, sessionId: session } = owner;
    const claim = { app, socket, user, session };
    const server = String(serverNumberOf(socket));
    const response = await this.#bus.askOne(server, requests.claimRequest, claim);
    if (!response) return "unreachable";
    return response.isClaimed ? "claimed" : "foreign";
  }

  async members(
    app: string,
    channel: string,
    { userIds, hasPages }: { userIds: readonly string[]; hasPages: boolean },
  ): Promise<Answers<readonly RemoteMember[]>> {
    const size = hasPages ? requests.maxAskedWithPages : requests.maxAskedUsers;
    const parts = partsOf(userIds, size);
    const results = await Promise.all(
      parts.map((users) =>
        this.#bus.ask(requests.membersRequest, { app, channel, users, hasPages })
      ),
    );
    return combined(results, ({ now, members }, server) => {
      const offset = this.#clocks.offsetOf(server, now);
      const later = (activity: UserActivity | undefined) =>
        activity && { activity: { ...activity, since: activity.since + offset } };
      return members.map(({ user, since, connections, seen, pages, tabs, activity }) => ({
        userId: user,
        since: since + offset,
        connections,
        lastSeenAt: seen + offset,
        ...pages.length > 0 && {
          pages: pages.map(({ path, device, since, activity }): OpenPage => (
            { path, device, since: since + offset, ...later(activity) }
          )),
        },
        ...tabs.length > 0 && { tabs: tabs.flatMap((tab) => later(tab)?.activity ?? []) },
        ...later(activity),
      }));
    });
  }

  async openPages(app: string, channel: string): Promise<Answers<readonly OpenPages[]>> {
    const result = await this.#bus.ask(requests.openPagesRequest, { app, channel });
    return combined([result], (pages) => pages);
  }

  async activeUsers(app: string, channel: string): Promise<Answers<ActiveUsers>> {
    const result = await this.#bus.ask(requests.activeUsersRequest, { app, channel });
    return combined([result], (users) => users);
  }

  async sessionIds(app: string, among: readonly string[]): Promise<Answers<readonly string[]>> {
    const results = await Promise.all(
      partsOf(among, requests.maxAskedSessions)
        .map((part) => this.#bus.ask(requests.sessionsRequest, { app, among: part })),
    );
    return combined(results, (ids) => ids);
  }

  async connections(app: string): Promise<Answers<number>> {
    return combined(
      [await this.#bus.ask(requests.connectionsRequest, { app })],
      (count) => count,
    );
  }

  /** How clients of an app fare at the other servers. */
  async appStatuses(app: string): Promise<Omit<AppStatusResponse, "now">[]> {
    const result = await this.#bus.ask(requests.appStatusRequest, { app });
    return result.responses.map(({ server, response: { now, joined, rejected } }) => {
      const offset = this.#clocks.offsetOf(server, now);
      return {
        joined: joined.map((user) => ({ ...user, at: user.at + offset })),
        rejected: rejected.map((one) => ({ ...one, at: one.at + offset })),
      };
    });
  }

  /** The metrics of the other workers of a supervisor that answer in time. */
  async metrics(supervisor: string): Promise<{ worker: number; text: string }[]> {
    const { responses } = await this.#bus.ask(requests.metricsRequest, { supervisor });
    return responses.flatMap(({ response }) => response ?? []);
  }

  /**
   * Has the server that a socket is connected to answer a page.
   *
   * @returns undefined when that server is gone or does not answer in time.
   */
  page(socket: string, name: string, input: unknown): Promise<PageResponse | undefined> {
    const server = String(serverNumberOf(socket));
    return this.#bus.askOne(server, requests.pageRequest, { name, input });
  }

  /** Has every other server that can be reached answer a page that has no socket. */
  async pages(name: string, input: unknown): Promise<PageResponse[]> {
    const { responses } = await this.#bus.ask(requests.pageRequest, { name, input });
    return responses.map(({ response }) => response);
  }

  command(app: string, { name, ...command }: AppCommand): void {
    // The kind's schema fits the commands with its name.
    this.#commands.send(appCommandKinds[name] as Command<unknown>, { app, ...command });
  }
}

function combined<A, B>(
  asked: readonly AllResponses<A>[],
  read: (response: A, server: string) => B,
): Answers<B> {
  return {
    answers: asked.flatMap(({ responses }) =>
      responses.map(({ response, server }) => read(response, server))
    ),
    isComplete: asked.every(({ isComplete }) => isComplete),
  };
}

function partsOf(all: readonly string[], size: number): string[][] {
  const parts: string[][] = [];
  for (let start = 0; start < all.length; start += size) {
    parts.push(all.slice(start, start + size));
  }
  return parts;
}
