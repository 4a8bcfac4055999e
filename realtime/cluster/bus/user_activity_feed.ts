import { z } from "zod";
import { maxUserIdLength } from "../../protocol/member.ts";
import type { Clock } from "../../timing/clock.ts";
import { command } from "./messages.ts";
import type { Commands } from "./commands.ts";

/** The least time between two messages, in milliseconds. */
const everyMs = 250;

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
 * can be at several servers, so whoever shows the user asks all of them.
 */
export class UserActivityFeed {
  readonly #commands: Commands;
  readonly #clock: Clock;
  /** Who changed since the last message, by the key of the channel. */
  readonly #waiting = new Map<string, Set<string>>();
  #cancel: (() => void) | undefined;

  constructor({ clock, commands }: { clock: Clock; commands: Commands }) {
    this.#commands = commands;
    this.#clock = clock;
  }

  /** The state of a user of this server is another one. @param channel the key of the counted channel */
  changed(userId: string, channel: string): void {
    let users = this.#waiting.get(channel);
    if (!users) this.#waiting.set(channel, users = new Set());
    if (users.size < maxUsers) users.add(userId);
    this.#cancel ??= this.#clock.after(everyMs, () => this.#send());
  }

  /** Receives what changed at another server. */
  onChanged(listener: (userIds: readonly string[], channel: string) => void): void {
    this.#commands.handle(userActivityCommand, ({ channel, users }) => listener(users, channel));
  }

  /** Sends nothing more. */
  stop(): void {
    this.#cancel?.();
    this.#waiting.clear();
  }

  #send(): void {
    this.#cancel = undefined;
    for (const [channel, users] of this.#waiting) {
      this.#commands.send(userActivityCommand, { channel, users: [...users] });
    }
    this.#waiting.clear();
  }
}
