import type { LogEntry } from "../../server.ts";
import type { Member } from "../../protocol/member.ts";
import { type Clock, systemClock } from "../../timing/clock.ts";
import { readMembersInSteps } from "../messages/room_message.ts";
import { membersInSteps, roomOf, type SharedState } from "../state/shared_state.ts";
import { EventLog, type EventLogOptions } from "./event_log.ts";
import { Leadership, type LeadershipOptions } from "./leadership.ts";
import type { LoggedEvent } from "./log_entry.ts";
import type { SharedLog } from "../engine.ts";

/** What all nodes know together, as the tasks ask it. */
export interface Shared {
  /** The members of a channel of an app; null while some may be missing. Who joins or leaves meanwhile may be
   * one of them or not. @throws {Error} when the engine fails */
  members(appId: string, channel: string): Promise<readonly Member[] | null>;
  /** See {@link EventLog.caughtUp}. */
  caughtUp(): Promise<boolean>;
  /** Whether the node is the leader at this moment, and has been since it began. */
  isLeader(): boolean;
}

/** What an installation does once. */
export interface SingletonTasks {
  /** Begins. @throws {Error} when that fails; `end` is called before another attempt */
  begin(shared: Shared): Promise<void>;
  /** Whether there is room for more events: if not, none is read from the log. */
  readonly hasRoom: boolean;
  /** See `LogListener`. */
  take(logged: LoggedEvent): Promise<void>;
  /** The log may have lost events. Must not throw. */
  lost(): void;
  /** Ends. Must not reject. */
  end(): Promise<void>;
}

/** Options of a {@link Leader}. */
export interface LeaderOptions {
  shared: SharedLog;
  state: SharedState;
  /** See {@link LeadershipOptions.node}. */
  node: LeadershipOptions["node"];
  tasks: SingletonTasks;
  log: (entry: LogEntry) => void;
  clock?: Clock;
  /** See {@link Leadership}. */
  leaseMs?: number;
  /** See {@link EventLogOptions.pollMs}. */
  pollMs?: EventLogOptions["pollMs"];
}

/** After tasks could not begin, in milliseconds. */
const retryMs = 1_000;

/** Does what an installation does once, whenever its node is the leader. */
export class Leader {
  readonly #options: LeaderOptions;
  readonly #clock: Clock;
  readonly #leadership: Leadership;
  /** One change after the other. */
  #changes: Promise<void> = Promise.resolve();
  /** The log of the last term; undefined while it is not the leader. */
  #eventLog: EventLog | undefined;
  #wake = () => {};

  constructor(options: LeaderOptions) {
    const { clock = systemClock, leaseMs, log, node, state } = options;
    this.#options = options;
    this.#clock = clock;
    this.#leadership = new Leadership({
      state,
      node,
      log,
      clock,
      ...leaseMs !== undefined && { leaseMs },
      started: () => this.#started(),
      ended: () => this.#ended(),
    });
  }

  /** Whether the node is the leader at this moment. */
  get isLeader(): boolean {
    return this.#leadership.isLeader;
  }

  /** Begins to ask for leadership. Call it once, when the node has a lease. */
  start(): void {
    this.#leadership.start();
  }

  /**
   * Ends the tasks and gives up leadership, so that another node begins them at once. Call it first when
   * the process stops: what its end causes is for the successor. Never rejects.
   */
  async stop(): Promise<void> {
    await this.#leadership.stop();
  }

  #started(): void {
    const { tasks } = this.#options;
    const eventLog = this.#eventLog = new EventLog({
      ...this.#options,
      clock: this.#clock,
      listeners: [(logged) => tasks.take(logged)],
      hasRoom: () => tasks.hasRoom,
      lost: () => tasks.lost(),
      outdated: () => this.#outdated(),
    });
    this.#changes = this.#changes.then(() => this.#begin(eventLog));
  }

  /** A server of a later release has to do the tasks. This one never becomes the leader again. */
  #outdated(): void {
    const message =
      "The log of events has an entry of a later release, so this server is no longer the leader: " +
      "a server of that release has to become the leader";
    this.#options.log({ level: "error", message });
    void this.stop();
  }

  #ended(): Promise<void> {
    const { tasks } = this.#options;
    const eventLog = this.#eventLog;
    this.#eventLog = undefined;
    this.#wake();
    eventLog?.pause();
    // A successor may begin soon: the tasks do not wait for an answer of the engine.
    this.#changes = this.#changes.then(() => tasks.end());
    return this.#changes = this.#changes.then(() => eventLog?.stop());
  }

  async #begin(eventLog: EventLog): Promise<void> {
    const { tasks, log, state } = this.#options;
    for (let attempts = 0; this.#eventLog === eventLog; attempts++) {
      const failed = Promise.withResolvers<false>();
      const shared = {
        // The log is read only once all tasks have begun: no one may wait for it if one has not.
        caughtUp: () => Promise.race([failed.promise, eventLog.caughtUp()]),
        isLeader: () => this.#eventLog === eventLog && this.isLeader,
        members: (appId: string, channel: string) => membersOf(state, appId, channel),
      };
      try {
        await tasks.begin(shared);
        if (this.#eventLog === eventLog) eventLog.start();
        return;
      } catch (error) {
        if (attempts === 0) {
          log({ level: "error", message: "The leader's tasks could not begin", error });
        }
      }
      failed.resolve(false);
      await tasks.end();
      await this.#pause(eventLog);
    }
  }

  #pause(eventLog: EventLog): Promise<void> {
    if (this.#eventLog !== eventLog) return Promise.resolve();
    return new Promise((resolve) => {
      const cancel = this.#clock.after(retryMs, resolve);
      this.#wake = () => {
        cancel();
        resolve();
      };
    });
  }
}

async function membersOf(
  state: SharedState,
  appId: string,
  channel: string,
): Promise<Member[] | null> {
  const room = roomOf(appId, channel);
  const opened = await state.read(room);
  if (!opened.isSettled) return null;
  return await readMembersInSteps(membersInSteps(state, room, opened));
}
