import type { LogEntry } from "../../options.ts";
import type { Engine, LogPart, SharedLog } from "../engine.ts";
import type {
  CachedText,
  ClaimedUser,
  Heartbeat,
  OpenedRoom,
  ReleaseReply,
  ScannedMembers,
  SharedState,
  UpdatedMember,
  UpdateReply,
  UserClaimReply,
} from "../state/shared_state.ts";
import type { Given } from "./calls.ts";
import { CoordinatorLink } from "./coordinator_link.ts";

/** What the workers of a machine share at their coordinator. */
export class CoordinatorEngine implements Engine {
  readonly name = "The coordinator";
  readonly place = "coordinator";
  readonly link: CoordinatorLink;
  readonly state: CoordinatorState;
  readonly log: CoordinatorLog;
  /** Its socket is for one installation. */
  readonly prefix = "";

  private constructor(link: CoordinatorLink) {
    this.link = link;
    this.state = new CoordinatorState(link);
    this.log = new CoordinatorLog(link);
  }

  /** Connects. @throws {Error} with one line when that fails for long. */
  static async open(
    { log, socketPath }: { socketPath: string; log: (entry: LogEntry) => void },
  ): Promise<CoordinatorEngine> {
    const link = await CoordinatorLink.open({
      socketPath,
      onProblem: (reason) =>
        log({ level: "warn", message: "The coordinator is not reached", reason }),
    });
    return new CoordinatorEngine(link);
  }
}

/** The shared data, as a server asks the coordinator for them. */
export class CoordinatorState implements SharedState {
  readonly #link: CoordinatorLink;

  constructor(link: CoordinatorLink) {
    this.#link = link;
  }

  begin(node: string, totals: string): Promise<Heartbeat> {
    return this.#link.call("begin", node, totals);
  }

  heartbeat(node: string, totals: string): Promise<Heartbeat | "lost"> {
    return this.#link.call("heartbeat", node, totals);
  }

  async exit(node: string, afterMs: number): Promise<void> {
    await this.#link.call("exit", node, afterMs);
  }

  drop(node: string): Promise<boolean> {
    return this.#link.call("drop", node);
  }

  claim(node: string, user: ClaimedUser): Promise<UserClaimReply> {
    return this.#link.call("claim", node, user);
  }

  release(node: string, user: Given<"release">[1]): Promise<ReleaseReply> {
    return this.#link.call("release", node, user);
  }

  update(member: UpdatedMember): Promise<UpdateReply> {
    return this.#link.call("update", member);
  }

  async read(room: string): Promise<OpenedRoom> {
    const { members, ...opened } = await this.#link.call("read", room);
    return { ...opened, members: new Map(members) };
  }

  async scan(room: string, cursor: string): Promise<ScannedMembers> {
    const scanned = await this.#link.call("scan", room, cursor);
    return { cursor: scanned.cursor, members: new Map(scanned.members) };
  }

  async members(room: string, userIds: readonly string[]): Promise<string[]> {
    return userIds.length === 0 ? [] : await this.#link.call("members", room, [...userIds]);
  }

  async cached(room: string): Promise<OpenedRoom["cached"]> {
    return await this.#link.call("cached", room) ?? undefined;
  }

  subscribers(
    node: string,
    room: string,
    count: number,
    app?: string,
    isRepeated?: boolean,
  ): Promise<number | "lost"> {
    return this.#link.call("subscribers", node, room, count, app, isRepeated);
  }

  async publish(room: string, message: string, cached?: CachedText): Promise<void> {
    await this.#link.call("publish", room, message, cached);
  }

  occupied(app: string): Promise<string[]> {
    return this.#link.call("occupied", app);
  }

  sizes(rooms: readonly string[]): Promise<{ members: number; subscribers: number }[]> {
    return this.#link.call("sizes", [...rooms]);
  }

  async totals(): Promise<ReadonlyMap<string, string>> {
    return new Map(await this.#link.call("totals"));
  }

  lead(node: string, ms: number): Promise<boolean> {
    return this.#link.call("lead", node, ms);
  }

  async resign(node: string): Promise<void> {
    await this.#link.call("resign", node);
  }
}

/** The log, as a server asks the coordinator for it. */
export class CoordinatorLog implements SharedLog {
  readonly #link: CoordinatorLink;

  constructor(link: CoordinatorLink) {
    this.#link = link;
  }

  async append(fields: readonly string[]): Promise<void> {
    await this.#link.call("append", [...fields]);
  }

  read(node: string, after: string, count: number): Promise<LogPart | "not_leading"> {
    return this.#link.call("readLog", node, after, count);
  }

  async acknowledge(ids: readonly string[]): Promise<void> {
    await this.#link.call("acknowledge", [...ids]);
  }

  /** Entries that are done with are not kept. */
  trim(): Promise<void> {
    return Promise.resolve();
  }

  forget(): Promise<void> {
    return Promise.resolve();
  }
}
