import { z } from "zod";
import { leaveReasons } from "../../events/server_events.ts";
import { maxUserIdLength } from "../../protocol/member.ts";
import type { Clock } from "../../timing/clock.ts";
import type { Activity } from "@/shared/online.ts";
import { command } from "./messages.ts";
import type { Commands } from "./commands.ts";

/** The least time between two messages, in milliseconds. */
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

/** Sends what the leader adds to the activity log to the other servers, for the pages that show it. */
export class ActivityFeed {
  readonly #commands: Commands;
  readonly #clock: Clock;
  /** What waits, by the key of its channel. */
  readonly #waiting = new Map<string, { entries: Activity[]; joined: number; left: number }>();
  #cancel: (() => void) | undefined;

  constructor({ clock, commands }: { clock: Clock; commands: Commands }) {
    this.#commands = commands;
    this.#clock = clock;
  }

  /** This server has added an entry. @param channel the key of the counted channel */
  stored(entry: Activity, channel: string): void {
    let waiting = this.#waiting.get(channel);
    if (!waiting) this.#waiting.set(channel, waiting = { entries: [], joined: 0, left: 0 });
    waiting.entries.push(entry);
    if (waiting.entries.length > maxEntries) waiting[waiting.entries.shift()!.change]++;
    this.#cancel ??= this.#clock.after(everyMs, () => this.#send());
  }

  /** Receives what another server has added. */
  onStored(listener: (stored: StoredActivity, channel: string) => void): void {
    this.#commands.handle(activityCommand, ({ channel, ...stored }) => listener(stored, channel));
  }

  /** Sends nothing more. */
  stop(): void {
    this.#cancel?.();
    this.#waiting.clear();
  }

  #send(): void {
    this.#cancel = undefined;
    for (const [channel, { entries, ...earlier }] of this.#waiting) {
      this.#commands.send(activityCommand, { channel, entries, earlier });
    }
    this.#waiting.clear();
  }
}
