import type { Broadcast } from "../../broadcasting.ts";
import { adminChannel, onlineChannel } from "../../channels.ts";
import type { Database } from "../../database/database.ts";
import type { App, LogEntry } from "../../realtime/server.ts";
import type { Webhook } from "../../realtime/app_config.ts";
import type { OwnWebhookEvent } from "../../realtime/webhooks/webhook_events.ts";
import { alertSettingSchema, type AlertState, type AlongsideAlert, readAlert } from "./alert.ts";
import { privateAddressText } from "./alert_webhook.ts";
import { type AlertChange, AlertWatch, type AlertWatchOptions } from "./alert_watch.ts";
import type { Clock } from "../../realtime/timing/clock.ts";
import {
  type AlertCrossed,
  type AlertSet,
  type AlertView,
  type Crossing,
  isBeyond,
  type Threshold,
} from "../../shared/alert.ts";

/** Options of a {@link ThresholdAlert}. */
export interface ThresholdAlertOptions {
  database: Database;
  /** The app of the pages. */
  ownApp: () => Pick<App, "isOccupied" | "onPresence" | "presence">;
  broadcast: Broadcast;
  /** Sends an event to a webhook, signed with the secret of the pages' own app. */
  sendWebhook: (event: OwnWebhookEvent, webhook: Webhook) => void;
  log: (entry: LogEntry) => void;
  /** See {@link AlertWatchOptions.recovery}. */
  recovery: AlertWatchOptions["recovery"];
  /** Whether a webhook may be sent to a URL. Default: to all. */
  mayReceive?: (url: string) => Promise<boolean>;
  clock?: Clock;
}

/** The alert at a number of users online: reports crossings to its webhook and to admins' pages. */
export class ThresholdAlert {
  readonly #options: ThresholdAlertOptions;
  readonly #watch: AlertWatch;
  readonly #stopListening: () => void;

  /** @throws {Error} when the alert cannot be read. */
  static async open(options: ThresholdAlertOptions): Promise<ThresholdAlert> {
    const { broadcast, clock, database, log, ownApp, recovery, sendWebhook } = options;
    const { users } = ownApp().presence(onlineChannel);
    const watch = await AlertWatch.open(users, {
      database,
      clock,
      recovery,
      crossed(crossing, { webhookUrl }) {
        if (webhookUrl !== undefined) sendWebhook(eventOf(crossing), { url: webhookUrl });
        if (!ownApp().isOccupied(adminChannel)) return;
        broadcast(adminChannel, "AlertCrossed", { crossing } satisfies AlertCrossed);
      },
      failed: (error) =>
        log({ level: "error", message: "A crossing of the alert could not be stored", error }),
    });
    return new ThresholdAlert(options, watch);
  }

  private constructor(options: ThresholdAlertOptions, watch: AlertWatch) {
    this.#options = options;
    this.#watch = watch;
    this.#stopListening = options.ownApp().onPresence(
      onlineChannel,
      ({ users }) => watch.changed(users),
    );
  }

  /** The threshold; null when the alert is off. */
  get threshold(): Threshold | null {
    const { setting } = this.#watch;
    return setting?.enabled ? { users: setting.users, direction: setting.direction } : null;
  }

  /** The webhook that receives crossings, if there is one. */
  get webhooks(): readonly Webhook[] {
    const url = this.#watch.setting?.webhookUrl;
    return url === undefined ? [] : [{ url, events: [] }];
  }

  /** What a page shows of the alert while this many users are online. */
  async view(users: number): Promise<AlertView> {
    const { threshold } = this;
    if (!threshold || !isBeyond(threshold, users)) return { threshold, crossedAt: null };
    const [last] = (await this.read())?.crossings ?? [];
    const isThis = last?.threshold === threshold.users && last.direction === threshold.direction;
    return { threshold, crossedAt: isThis ? last.at : null };
  }

  /** The setting and the last crossings; null when the alert was never set. */
  read(): Promise<AlertState | null> {
    return readAlert(this.#options.database);
  }

  /** Sets the alert, and updates the admins' pages that are open. */
  async change(setting: unknown, alongside?: AlongsideAlert): Promise<AlertChange> {
    const { broadcast, mayReceive, ownApp } = this.#options;
    const { webhookUrl } = alertSettingSchema.safeParse(setting).data ?? {};
    if (webhookUrl !== undefined && mayReceive && !await mayReceive(webhookUrl)) {
      return { ok: false, field: "webhookUrl", message: privateAddressText };
    }
    const change = await this.#watch.change(setting, alongside);
    if (change.ok && ownApp().isOccupied(adminChannel)) {
      broadcast(adminChannel, "AlertSet", { threshold: this.threshold } satisfies AlertSet);
    }
    return change;
  }

  /**
   * Observes nothing more; resolves when what was observed is stored. Call it before the server closes
   * its sockets.
   */
  async stop(): Promise<void> {
    this.#stopListening();
    await this.#watch.stop();
  }
}

function eventOf({ direction, threshold, users }: Crossing): OwnWebhookEvent {
  return { name: "users_online_threshold", channel: onlineChannel, direction, threshold, users };
}
