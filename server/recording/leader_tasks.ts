import type { LeaderTerm } from "../database/leader_term.ts";
import type { AppSettings } from "@/realtime/app_config.ts";
import type { RealtimeServer, ServerEvent } from "@/realtime/server.ts";
import type { Webhooks } from "@/realtime/webhooks/webhooks.ts";
import type { ThresholdAlert } from "../alert/threshold_alert.ts";
import type { OnlineRecorder } from "./online_recorder.ts";
import type { LogPlace } from "./recorder_run.ts";
import type { SharedPresence } from "./activity_reconciler.ts";

/** Options of {@link LeaderTasks}. */
export interface LeaderTasksOptions {
  webhooks: Webhooks;
  recorder: OnlineRecorder;
  alerts: readonly ThresholdAlert[];
  /** The app of an id as it is now, if it is served. */
  appOf: (id: string) => AppSettings | undefined;
  /** In which the leader of several servers stores; begun with each term. */
  term?: LeaderTerm;
}

/** An event of the log of all servers. */
export interface LoggedServerEvent extends LogPlace {
  readonly appId: string;
  readonly event: ServerEvent;
}

/**
 * What an installation does once: webhooks, the activity log, the history and the alerts. A server that
 * is the only one does it from its start on; of several, the leader, between {@link begin}
 * and {@link end}.
 */
export class LeaderTasks {
  readonly #options: LeaderTasksOptions;

  constructor(options: LeaderTasksOptions) {
    this.#options = options;
  }

  /**
   * Begins to deliver webhooks as the only server: what is in the store, and each event when it happens.
   * The recorder begins by itself, once the server listens, and the alerts follow from their opening on.
   *
   * @throws {Error} when the database fails.
   */
  async beginAlone(realtime: RealtimeServer): Promise<void> {
    const { webhooks } = this.#options;
    await webhooks.start();
    realtime.onServerEvent((event, app) => webhooks.take(event, app));
  }

  /**
   * Begins as the leader of several servers; {@link take} the events of the log from then on.
   *
   * @throws {Error} when the database fails; then {@link end} before another attempt.
   */
  async begin(shared: SharedPresence): Promise<void> {
    const { alerts, recorder, term, webhooks } = this.#options;
    // From here on the leader before stores nothing: what is read now stays complete.
    if (term && !await term.begin(() => shared.isLeader())) {
      throw new Error("This server is not the leader");
    }
    await webhooks.start();
    await recorder.continue(shared);
    await Promise.all(alerts.map((alert) => alert.begin()));
  }

  /** Whether there is room for more events of the log: if not, it keeps them. */
  get hasRoom(): boolean {
    return this.#options.webhooks.hasRoom;
  }

  /**
   * Takes an event of the log. Resolves when it is recorded, and delivered or in the store; never, where
   * the tasks end before: then it is for the next leader. Never rejects.
   */
  async take({ appId, event, ...place }: LoggedServerEvent): Promise<void> {
    const { appOf, recorder, webhooks } = this.#options;
    const app = appOf(appId);
    const isSent = new Promise<void>((secured) =>
      app ? webhooks.take(event, app, { at: place.at, secured }) : secured()
    );
    await Promise.all([isSent, recorder.take(event, appId, place)]);
  }

  /** The log may have lost events: what can be known without it is recorded. */
  lost(): void {
    this.#options.recorder.check();
  }

  /** Ends, and stores what is left as far as the database allows. Never rejects. */
  async end(): Promise<void> {
    const { alerts, recorder, webhooks } = this.#options;
    // Crossings are sent with webhooks.
    await Promise.all(alerts.map((alert) => alert.pause()));
    await Promise.all([recorder.stop(), webhooks.stop()]);
  }
}
