import type { Database } from "../database/database.ts";
import type { InTransaction } from "../database/schema.ts";
import type { LogEntry } from "@/realtime/server.ts";
import { systemClock } from "@/realtime/timing/clock.ts";
import type { AlertView, Crossing, Threshold } from "@/shared/alert.ts";
import { addDeliveries } from "./alert_deliveries.ts";
import { type AlertChannel, type AlertMessage, placeOf } from "./alert_message.ts";
import { AlertWatch, type AlertWatchOptions } from "./alert_watch.ts";
import { privateAddressText } from "./alert_webhook.ts";
import { type ChannelPresence, followCounts } from "../presence/channel_presence.ts";
import {
  type AlertSetting,
  type AlertState,
  countedOf,
  firstRuleId,
  readAlertSetting,
  type ReadSetting,
  TooManyReceivers,
} from "./stored_alert.ts";
import { receiversOf } from "./stored_receivers.ts";

/** Options of a {@link ThresholdAlert}. */
export interface ThresholdAlertOptions {
  database: Database;
  channel: AlertChannel & { key: string };
  /** The members of the channel. */
  presence: ChannelPresence;
  /** Whether an admin has a page open that shows the alert. */
  isWatched: () => boolean;
  /** Sends the alert to these pages. */
  publish: (view: AlertView) => void;
  /** Called when messages to receivers were stored. */
  wakeSender: () => void;
  log: (entry: LogEntry) => void;
  /** See {@link AlertWatchOptions.recovery}. */
  recovery: AlertWatchOptions["recovery"];
  /** Whether a webhook may be sent to a URL. Default: to all. */
  mayReceive?: (url: string) => Promise<boolean>;
  clock?: AlertWatchOptions["clock"];
  /** See {@link AlertWatchOptions.term}. */
  term?: AlertWatchOptions["term"];
  /** Called after the setting was changed or a crossing stored here: other servers have to reload. */
  changed?: () => unknown;
}

/** The alert at a number of users of a counted channel: reports crossings to receivers and to admins' pages. */
export class ThresholdAlert {
  readonly #options: ThresholdAlertOptions;
  readonly #watch: AlertWatch;
  readonly #stopListening: () => void;

  /** @throws {Error} when the alert cannot be read. */
  static async open(options: ThresholdAlertOptions): Promise<ThresholdAlert> {
    const { channel, clock, database, log, presence, recovery, term } = options;
    const watch = await AlertWatch.open(presence.counts.users, {
      database,
      channel: channel.key,
      clock,
      recovery,
      ...term && { term },
      async tell(transaction, { setting, crossing }) {
        const told = await receiversOf(transaction, setting);
        await addDeliveries(transaction, told, messageOf(channel, crossing));
      },
      crossed() {
        options.wakeSender();
        void alert.#changed();
      },
      failed: (error) =>
        log({ level: "error", message: "A crossing of the alert could not be stored", error }),
    }, presence.counts.guests);
    const alert = new ThresholdAlert(options, watch);
    return alert;
  }

  private constructor(options: ThresholdAlertOptions, watch: AlertWatch) {
    this.#options = options;
    this.#watch = watch;
    this.#stopListening = followCounts(options.presence, ({ users, active, guests }) => {
      const { isWaiting } = this.view;
      watch.changed(users, active, guests);
      if (this.view.isWaiting !== isWaiting && options.isWatched()) options.publish(this.view);
    });
  }

  /** The setting and the last crossings; null when the alert was never set. */
  get state(): AlertState | null {
    return this.#watch.state;
  }

  /** See {@link AlertWatch.view}. */
  get view(): AlertView {
    return this.#watch.view;
  }

  /**
   * Sets the alert, and updates the admins' pages that are open.
   *
   * @param input an `AlertSetting`, not validated.
   */
  async change(input: unknown, inTransaction?: InTransaction<AlertSetting>): Promise<ReadSetting> {
    const result = readAlertSetting(input);
    if (!result.ok) return result;
    const { mayReceive } = this.#options;
    const { webhookUrl } = result.setting;
    if (webhookUrl && mayReceive && !await mayReceive(webhookUrl)) {
      return { ok: false, field: "webhookUrl", message: privateAddressText };
    }
    try {
      await this.#watch.change(result.setting, inTransaction);
    } catch (error) {
      if (!(error instanceof TooManyReceivers)) throw error;
      return { ok: false, field: "webhookUrl", message: error.message };
    }
    await this.#changed();
    return result;
  }

  /** See {@link AlertWatch.reload}. */
  reload(): Promise<void> {
    return this.#watch.reload();
  }

  /** See {@link AlertWatch.begin}. */
  begin(): Promise<void> {
    return this.#watch.begin();
  }

  /** See {@link AlertWatch.pause}. */
  pause(): Promise<void> {
    return this.#watch.pause();
  }

  /** What a rule with this threshold would tell now, as a test. */
  testMessage(threshold: Omit<Threshold, "holdSeconds">): AlertMessage {
    const { channel, clock = systemClock, presence } = this.#options;
    const { direction, onlyActive } = threshold;
    const counts = { ...presence.counts, active: presence.active };
    const { users, ...guests } = countedOf(threshold, counts);
    const crossing: Crossing = {
      at: clock.date(),
      users: users ?? 0,
      ...guests,
      threshold: threshold.users,
      direction,
      ...onlyActive && { onlyActive },
      phase: "active",
    };
    return { ...messageOf(channel, crossing), test: true };
  }

  /**
   * Follows the number no longer; resolves when the crossings are stored. Call it before the server closes
   * its sockets.
   */
  async stop(): Promise<void> {
    this.#stopListening();
    await this.#watch.stop();
  }

  async #changed(): Promise<void> {
    const { changed, isWatched, publish } = this.#options;
    if (isWatched()) publish(this.view);
    await changed?.();
  }
}

/** What receivers are told of a crossing. */
function messageOf(
  channel: ThresholdAlertOptions["channel"],
  { at, phase, users, guests, threshold, direction, onlyActive }: Crossing,
): AlertMessage {
  const rule = firstRuleId(channel.key);
  const condition = {
    kind: "threshold" as const,
    threshold,
    direction,
    ...onlyActive && { onlyActive: true as const },
  };
  return { rule, ...placeOf(channel), at, phase, users, ...guests && { guests }, condition };
}
