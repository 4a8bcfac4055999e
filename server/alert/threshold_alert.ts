import type { Database } from "../database/database.ts";
import { addUndelivered } from "../database/webhook_outbox.ts";
import type { LogEntry } from "@/realtime/server.ts";
import type { Webhook } from "@/realtime/app_config.ts";
import type { OwnWebhookEvent, PreparedEvent } from "@/realtime/webhooks/webhooks.ts";
import {
  type AlertState,
  type AlongsideAlert,
  readAlertSetting,
  type ReadSetting,
} from "./alert.ts";
import { type AlertChannel, crossingEvent, testBody } from "./alert_event.ts";
import type { ChannelPresence } from "../presence/channel_presence.ts";
import { privateAddressText, type TestOutcome } from "./alert_webhook.ts";
import { AlertWatch, type AlertWatchOptions } from "./alert_watch.ts";
import { type Clock, systemClock } from "@/realtime/timing/clock.ts";
import type { AlertView, Threshold } from "@/shared/alert.ts";

/** Options of a {@link ThresholdAlert}. */
export interface ThresholdAlertOptions {
  database: Database;
  channel: AlertChannel & { key: string };
  /** The members of the channel. */
  presence: Pick<ChannelPresence, "now" | "onPresence">;
  /** Whether an admin has a page open that shows the alert. */
  isWatched: () => boolean;
  /** Sends the alert to these pages. */
  publish: (view: AlertView) => void;
  /** Prepares an event for a webhook, signed with the secret of the pages' own app. */
  prepareWebhook: (event: OwnWebhookEvent, webhook: Webhook) => PreparedEvent;
  /** Sends the body of a test to a URL, signed likewise. */
  sendTest: (url: string, body: string) => Promise<TestOutcome>;
  log: (entry: LogEntry) => void;
  /** See {@link AlertWatchOptions.recovery}. */
  recovery: AlertWatchOptions["recovery"];
  /** Whether a webhook may be sent to a URL. Default: to all. */
  mayReceive?: (url: string) => Promise<boolean>;
  clock?: Clock;
  /** See {@link AlertWatchOptions.turn}. */
  turn?: AlertWatchOptions["turn"];
  /** Called after the setting was changed or a crossing stored here: other servers have to reload. */
  changed?: () => unknown;
}

/** The alert at a number of users of a counted channel: reports crossings to its webhook and to admins' pages. */
export class ThresholdAlert {
  readonly #options: ThresholdAlertOptions;
  readonly #watch: AlertWatch;
  readonly #stopListening: () => void;

  /** @throws {Error} when the alert cannot be read. */
  static async open(options: ThresholdAlertOptions): Promise<ThresholdAlert> {
    const { channel, clock, database, log, prepareWebhook, presence, recovery, turn } = options;
    let prepared: PreparedEvent | undefined;
    const watch = await AlertWatch.open(presence.now.users, {
      database,
      channel: channel.key,
      clock,
      recovery,
      ...turn && { turn },
      async alongside(transaction, { setting: { webhookUrl: url }, crossings: [crossing] }) {
        prepared = undefined;
        if (url === undefined) return;
        prepared = prepareWebhook(crossingEvent(channel, crossing), { url });
        await addUndelivered(transaction, [prepared.stored]);
      },
      crossed() {
        prepared?.deliver();
        void alert.#changed();
      },
      failed: (error) =>
        log({ level: "error", message: "A crossing of the alert could not be stored", error }),
    });
    const alert = new ThresholdAlert(options, watch);
    return alert;
  }

  private constructor(options: ThresholdAlertOptions, watch: AlertWatch) {
    this.#options = options;
    this.#watch = watch;
    this.#stopListening = options.presence.onPresence(({ users }) => watch.changed(users));
  }

  /** The webhook that receives crossings, if there is one. */
  get webhooks(): readonly Webhook[] {
    const url = this.state?.setting.webhookUrl;
    return url === undefined ? [] : [{ url, events: [] }];
  }

  /** The setting and the last crossings; null when the alert was never set. */
  get state(): AlertState | null {
    return this.#watch.state;
  }

  /** What a page shows of the alert. */
  get view(): AlertView {
    const { state } = this;
    if (!state?.setting.enabled) return { threshold: null, phase: "normal", since: null };
    const { setting: { users, direction, holdSeconds }, phase, crossings: [last] } = state;
    const isThis = last?.threshold === users && last.direction === direction &&
      last.phase === phase;
    return { threshold: { users, direction, holdSeconds }, phase, since: isThis ? last.at : null };
  }

  /**
   * Sets the alert, and updates the admins' pages that are open.
   *
   * @param input an `AlertSetting`, not validated.
   */
  async change(input: unknown, alongside?: AlongsideAlert): Promise<ReadSetting> {
    const read = readAlertSetting(input);
    if (!read.ok) return read;
    const { mayReceive } = this.#options;
    const { webhookUrl } = read.setting;
    if (webhookUrl !== undefined && mayReceive && !await mayReceive(webhookUrl)) {
      return { ok: false, field: "webhookUrl", message: privateAddressText };
    }
    await this.#watch.change(read.setting, alongside);
    await this.#changed();
    return read;
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

  /** Sends a webhook a test: the event that an alert with this threshold would send now. */
  test(url: string, threshold: Pick<Threshold, "users" | "direction">): Promise<TestOutcome> {
    const { channel, clock = systemClock, presence, sendTest } = this.#options;
    return sendTest(url, testBody(channel, threshold, presence.now.users, clock.date()));
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
