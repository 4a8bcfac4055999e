import { groupedPages } from "../../channels/members.ts";
import type { App, RealtimeServer } from "../../server.ts";
import type { Clock } from "../../timing/clock.ts";
import type { AppCommand } from "../../other_servers.ts";
import { appCommandKinds, closeEarlier, Commands } from "./commands.ts";
import { Bus, type BusOptions } from "./bus.ts";
import type { Command } from "./messages.ts";
import * as requests from "./requests.ts";
import { appStatusRequest, metricsRequest, pageRequest } from "./requests.ts";
import { ActivityFeed, UserActivityFeed } from "./channel_feeds.ts";
import { Changes } from "./changes.ts";
import { type AppStatusResponse, type PageResponse, ServersOverBus } from "./servers_over_bus.ts";

/** A command that is older concerns the connections of its time only, in milliseconds. */
const lateMs = 2_000;

/** The requests and commands of other servers. */
interface HandlerParts {
  bus: Bus;
  commands: Commands;
  realtime: RealtimeServer;
  clock: Clock;
}

/** Answers what other servers ask of this one's connections, and carries out their commands. */
function answerOthers({ bus, commands, realtime, clock }: HandlerParts): void {
  handleRequests(bus, realtime, clock);
  for (const [name, kind] of Object.entries(appCommandKinds)) {
    commands.handle(kind as Command<{ app: string }>, ({ app: id, ...data }, at) => {
      const app = realtime.app(id);
      // The kind's schema fits the commands with its name.
      const command = { name, ...data } as AppCommand;
      if (!app) return;
      if (clock.now() - at > lateMs && command.name !== "reconnectPages") {
        closeEarlier(app, command, at);
      } else carryOut(app, command);
    });
  }
}

function carryOut(app: App, command: AppCommand): void {
  if (command.name === "closeUser") app.connections.closeUser(command.userId, command.options);
  else if (command.name === "closeSession") {
    app.connections.closeSession(command.sessionId, command.options);
  } else if (command.name === "terminateUser") app.connections.terminateUser(command.userId);
  else if (command.name === "reconnectUser") app.connections.reconnectUser(command.userId);
  else app.connections.reconnectPages(command.channel, command);
}

function handleRequests(bus: Bus, realtime: RealtimeServer, clock: Clock): void {
  bus.respond(requests.claimRequest, ({ app, socket, user, session }) => {
    const owner = { userId: user, sessionId: session };
    return { isClaimed: realtime.app(app)?.connections.claim(socket, owner) ?? true };
  });
  bus.respond(requests.membersRequest, ({ app: id, channel, users, hasPages }) => {
    const app = realtime.app(id);
    const userIds = new Set(users);
    const members = hasPages
      ? app?.presence.members(channel, userIds)
      : app?.presence.users(channel, userIds);
    const response = (members ?? []).map((
      { userId: user, since, connections, lastSeenAt: seen, pages, tabs, activity },
    ) => ({
      user,
      since,
      connections,
      seen,
      pages: pages?.slice(0, requests.maxPagesOfUser) ?? [],
      tabs: tabs?.slice(0, requests.maxPagesOfUser) ?? [],
      activity,
    }));
    return { now: clock.date(), members: response };
  });
  bus.respond(
    requests.openPagesRequest,
    ({ app, channel }) => groupedPages(realtime.app(app)?.presence.openPages(channel) ?? []),
  );
  bus.respond(
    requests.activeUsersRequest,
    ({ app, channel }) =>
      realtime.app(app)?.presence.activeUsers(channel) ?? { ids: [], more: 0, isKnown: false },
  );
  bus.respond(requests.sessionsRequest, ({ app, among }) => {
    const open = realtime.app(app)?.connections.sessionIds();
    return among.filter((id) => open?.has(id));
  });
  bus.respond(
    requests.connectionsRequest,
    ({ app }) => realtime.app(app)?.connections.size ?? 0,
  );
}

/** What this server asks of others and commands them, and they of it. */
export class ServerBus {
  /** The other servers, as the apps of this one use them. */
  readonly others: ServersOverBus;
  /** What servers read again when another has changed it. */
  readonly changes: Changes;
  /** What the leader adds to the activity log. */
  readonly activity: ActivityFeed;
  /** Which users became active or idle. */
  readonly userActivity: UserActivityFeed;
  readonly bus: Bus;
  readonly #commands: Commands;
  readonly #options: BusOptions;

  constructor(options: BusOptions) {
    const { clock } = this.#options = options;
    const bus = this.bus = new Bus(options);
    this.#commands = new Commands(bus, options);
    this.changes = new Changes(bus, this.#commands, options);
    this.activity = new ActivityFeed({ commands: this.#commands, clock });
    this.userActivity = new UserActivityFeed({ commands: this.#commands, clock });
    this.others = new ServersOverBus(bus, this.#commands, clock);
  }

  /** Receives messages. Call it before other servers know of this one. @throws {Error} when the engine cannot be reached */
  start(): Promise<void> {
    return this.bus.start();
  }

  /** Answers for a server, and has it carry out the commands of others. Before, there is no response. */
  serve(realtime: RealtimeServer): void {
    const { clock } = this.#options;
    answerOthers({ bus: this.bus, commands: this.#commands, realtime, clock });
    this.bus.served();
  }

  /** Answers how clients of an app fare here. */
  serveStatuses(statusOf: (appId: string) => Omit<AppStatusResponse, "now">): void {
    const { clock } = this.#options;
    this.bus.respond(appStatusRequest, ({ app }) => ({ now: clock.date(), ...statusOf(app) }));
  }

  /**
   * Answers the workers of the same supervisor.
   *
   * @param worker what this server is among them; undefined: it is alone.
   * @param metrics the text of its metrics.
   */
  serveMetrics(
    worker: { group: string; number: number } | undefined,
    metrics: () => Promise<string>,
  ): void {
    this.bus.respond(
      metricsRequest,
      async ({ supervisor }) =>
        supervisor === worker?.group ? { worker: worker.number, text: await metrics() } : null,
    );
  }

  /** Answers requests of pages whose sockets are connected to this server. */
  servePages(respond: (name: string, input: unknown) => Promise<PageResponse>): void {
    this.bus.respond(pageRequest, ({ name, input }) => respond(name, input));
  }

  /** Receives and sends nothing more. Never rejects. */
  async stop(): Promise<void> {
    this.activity.stop();
    this.userActivity.stop();
    this.changes.stop();
    this.#commands.stop();
    await this.bus.stop();
  }

  /** The number of entries in memory, by what they are. */
  stats() {
    return { ...this.bus.stats(), ...this.#commands.stats() };
  }
}
