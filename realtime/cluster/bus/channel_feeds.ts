import { z } from "zod";
import { leaveReasons } from "../../events/server_events.ts";
import { maxUserIdLength } from "../../protocol/member.ts";
import type { Clock } from "../../timing/clock.ts";
import type { Activity } from "@/shared/online.ts";
import { command } from "./messages.ts";
import type { Commands } from "./commands.ts";

/** The least time between two messages of a feed, in milliseconds. */
const everyMs = 250;

/** Entries of a message; of more, only the number is sent. */
const maxEntries = 50;

const line = {
  at: z.number(),
  id: z.string().max(maxUserIdLength),
  kind: z.enum(["user", "guest", "foreign"]),
  name: z.string().max(1_000),
  isElsewhere: z.boolean().optional(),
};
const entry = z.discriminatedUnion("change", [
  z.object({ ...line, change: z.literal("joined") }),
  z.object({ ...line, change: z.literal("left"), reason: z.enum(leaveReasons).catch("removed") }),
]) satisfies z.ZodType<Activity>;

/** What was added to the activity log of a counted channel. */
const activityCommand = command(
  "activity",
  z.object({
    channel: z.string().max(1_000),
    entries: z.array(entry).max(maxEntries),
    /** How many joins and leaves came before the entries, without being among them. */
    earlier: z.object({ joined: z.int().nonnegative(), left: z.int().nonnegative() }),
  }),
);

/** Entries of the activity log that were added one soon after the other. */
export interface StoredActivity {
  /** The newest, oldest first. */
  readonly entries: readonly Activity[];
  /** How many others there were before them. */
  readonly earlier: { readonly joined: number; readonly left: number };
}

/** Collects what happens in counted channels for a moment, so that one message of a channel tells all of it. */
class ChannelFeed<Waiting> {
  readonly #clock: Clock;
  readonly #begin: () => Waiting;
  readonly #send: (channel: string, waiting: Waiting) => void;
  /** By the key of the channel. */
  readonly #waiting = new Map<string, Waiting>();
  #cancel: (() => void) | undefined;

  constructor(
    clock: Clock,
    begin: () => Waiting,
    send: (channel: string, waiting: Waiting) => void,
  ) {
    this.#clock = clock;
    this.#begin = begin;
    this.#send = send;
  }

  /** What is to be told of a channel, which is sent soon. */
  of(channel: string): Waiting {
    this.#cancel ??= this.#clock.after(everyMs, () => {
      this.#cancel = undefined;
      for (const [channel, waiting] of this.#waiting) this.#send(channel, waiting);
      this.#waiting.clear();
    });
    const waiting = this.#waiting.get(channel) ?? this.#begin();
    this.#waiting.set(channel, waiting);
    return waiting;
  }

  /** Sends nothing more. */
  stop(): void {
    this.#cancel?.();
    this.#waiting.clear();
  }
}

/** The newest entries, and how many joins and leaves were before them. */
interface AddedEntries {
  entries: Activity[];
  joined: number;
  left: number;
}

/** Sends what the leader adds to the activity log to the other servers, for the pages that show it. */
export class ActivityFeed {
  readonly #commands: Commands;
  readonly #feed: ChannelFeed<AddedEntries>;

  constructor({ clock, commands }: { clock: Clock; commands: Commands }) {
    this.#commands = commands;
    this.#feed = new ChannelFeed<AddedEntries>(
      clock,
      () => ({ entries: [], joined: 0, left: 0 }),
      (channel, { entries, ...earlier }) =>
        commands.send(activityCommand, { channel, entries, earlier }),
    );
  }

  /** This server has added an entry. @param channel the key of the counted channel */
  stored(entry: Activity, channel: string): void {
    const waiting = this.#feed.of(channel);
    waiting.entries.push(entry);
    if (waiting.entries.length > maxEntries) waiting[waiting.entries.shift()!.change]++;
  }

  /** Receives what another server has added. */
  onStored(listener: (stored: StoredActivity, channel: string) => void): void {
    this.#commands.handle(activityCommand, ({ channel, ...stored }) => listener(stored, channel));
  }

  /** Sends nothing more. */
  stop(): void {
    this.#feed.stop();
  }
}

/** Users of a message. Of more, the other servers learn when they ask who is active. */
const maxUsers = 100;

/** Users of a counted channel whose state is another one. */
const userActivityCommand = command(
  "userActivity",
  z.object({
    channel: z.string().max(1_000),
    users: z.array(z.string().max(maxUserIdLength)).max(maxUsers),
  }),
);

/**
 * Tells the other servers which users became active, idle or neither at this one, and not what they are: a user
 * can be at several servers, so a server that shows the user asks all of them.
 */
export class UserActivityFeed {
  readonly #commands: Commands;
  readonly #feed: ChannelFeed<Set<string>>;

  constructor({ clock, commands }: { clock: Clock; commands: Commands }) {
    this.#commands = commands;
    this.#feed = new ChannelFeed(
      clock,
      () => new Set<string>(),
      (channel, users) => commands.send(userActivityCommand, { channel, users: [...users] }),
    );
  }

  /** The state of a user of this server is another one. @param channel the key of the counted channel */
  changed(userId: string, channel: string): void {
    const users = this.#feed.of(channel);
    if (users.size < maxUsers) users.add(userId);
  }

  /** Receives what changed at another server. */
  onChanged(listener: (userIds: readonly string[], channel: string) => void): void {
    this.#commands.handle(userActivityCommand, ({ channel, users }) => listener(users, channel));
  }

  /** Sends nothing more. */
  stop(): void {
    this.#feed.stop();
  }
}
