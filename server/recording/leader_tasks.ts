import type { Core } from "../core.ts";
import type { RealtimeServer, ServerEvent } from "@/realtime/server.ts";
import type { Webhooks } from "@/realtime/webhooks/webhooks.ts";
import type { AlertSender } from "../alert/alert_sender.ts";
import type { RuleWatch } from "../alert/rule_watch.ts";
import type { ThresholdAlert } from "../alert/threshold_alert.ts";
import type { OnlineRecorder } from "./online_recorder.ts";
import type { LogPlace } from "./recorder_run.ts";
import type { SharedPresence } from "./activity_reconciler.ts";

/** An event of the log of all servers. */
export interface LoggedServerEvent extends LogPlace {
  readonly appId: string;
  readonly event: ServerEvent;
}

/** What the leader's tasks begin and end. */
interface LeaderServices {
  webhooks: Webhooks;
  counted: readonly { alert: ThresholdAlert }[];
  alertSender?: AlertSender;
  ruleWatch?: RuleWatch;
}

/**
 * What an installation does once: webhooks, the activity log, the history and the alerts. A server that
 * is the only one does it from its start on; of several, the leader, between {@link begin}
 * and {@link end}.
 */
export class LeaderTasks {
  readonly #core: Core;
  readonly #webhooks: Webhooks;
  readonly #recorder: OnlineRecorder;
  readonly #alerts: readonly ThresholdAlert[];
  readonly #alertSender: AlertSender | undefined;
  readonly #ruleWatch: RuleWatch | undefined;

  constructor(
    core: Core,
    { webhooks, counted, alertSender, ruleWatch }: LeaderServices,
    recorder: OnlineRecorder,
  ) {
    this.#core = core;
    this.#webhooks = webhooks;
    this.#recorder = recorder;
    this.#alerts = counted.map(({ alert }) => alert);
    this.#alertSender = alertSender;
    this.#ruleWatch = ruleWatch;
  }

  /**
   * Begins to deliver webhooks as the only server: what is in the store, and each event when it happens.
   * The recorder begins by itself, once the server listens, and the alerts follow from their opening on.
   *
   * @throws {Error} when the database fails.
   */
  async beginAlone(realtime: RealtimeServer): Promise<void> {
    await this.#webhooks.start();
    this.#alertSender?.begin();
    this.#ruleWatch?.begin();
    realtime.onServerEvent((event, app) => this.#webhooks.take(event, app));
  }

  /**
   * Begins as the leader of several servers; {@link take} the events of the log from then on.
   *
   * @throws {Error} when the database fails; then {@link end} before another attempt.
   */
  async begin(shared: SharedPresence): Promise<void> {
    const { term } = this.#core;
    // From here on the leader before stores nothing: what is read now stays complete.
    if (term && !await term.begin(() => shared.isLeader())) {
      throw new Error("This server is not the leader");
    }
    await this.#webhooks.start();
    await this.#recorder.continue(shared);
    await Promise.all(this.#alerts.map((alert) => alert.begin()));
    this.#ruleWatch?.begin();
    this.#alertSender?.begin();
  }

  /** Whether there is room for more events of the log: if not, it keeps them. */
  get hasRoom(): boolean {
    return this.#webhooks.hasRoom;
  }

  /**
   * Takes an event of the log. Resolves when it is recorded, and delivered or in the store; never, where
   * the tasks end before: then it is for the next leader. Never rejects.
   */
  async take({ appId, event, ...place }: LoggedServerEvent): Promise<void> {
    const app = this.#core.realtime.app(appId);
    const isSent = new Promise<void>((secured) =>
      app ? this.#webhooks.take(event, app.settings, { at: place.at, secured }) : secured()
    );
    await Promise.all([isSent, this.#recorder.take(event, appId, place)]);
  }

  /** The log may have lost events: what can be known without it is recorded. */
  lost(): void {
    this.#recorder.check();
  }

  /** Ends, and stores what is left as far as the database allows. Never rejects. */
  async end(): Promise<void> {
    await Promise.all([...this.#alerts.map((alert) => alert.pause()), this.#ruleWatch?.stop()]);
    await Promise.all([this.#recorder.stop(), this.#webhooks.stop(), this.stopAlerts()]);
  }

  /** Delivers no more to receivers of alerts; what waits is in the database. Never rejects. */
  async stopAlerts(): Promise<void> {
    await this.#alertSender?.stop();
  }
}
