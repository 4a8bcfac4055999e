/**
 * The services of the process: opened once, by one `start…` for each subject, which is beside what it starts.
 * What all of them are started with is in `core.ts`.
 *
 * @module
 */
import { type Apps, startApps } from "./apps/apps.ts";
import { type ApiWithEvents, startApiWithEvents } from "./api/event_streams.ts";
import { AuditLog, startAuditExpiry } from "./audit/audit_log.ts";
import { startInspection } from "./channels/inspector.ts";
import { openChecks, type ServerChecks } from "./check/server_checks.ts";
import { type Core, openCore } from "./core.ts";
import { type Embeds, startEmbeds } from "./embed/embeds.ts";
import { type ForgottenPasswords, startForgottenPasswords } from "./links/forgotten_passwords.ts";
import { type Counting, startCounting } from "./live_view/counted_channel.ts";
import { type LiveView, startLiveView } from "./live_view/live_view.ts";
import { UntrustedProxy } from "./net/client_address.ts";
import { SendingLimit } from "./net/window_limits.ts";
import { Metrics } from "./observability/metrics.ts";
import { watchEventLoop } from "./observability/process_metrics.ts";
import { type SignInServices, startSignIn } from "./oidc/start_sign_in.ts";
import { startSharing } from "./other_servers.ts";
import type { PartitionWatch } from "./recording/partition_watch.ts";
import { LeaderTasks } from "./recording/leader_tasks.ts";
import { type OnlineRecorder, startRecording } from "./recording/online_recorder.ts";
import { type SiteTags, startSiteTags } from "./site/site_tags.ts";
import { startWallboards, type Wallboards } from "./wallboard/wallboards.ts";

/** The services of the process: opened once, and handed to every request as `ctx.state`. */
export interface Services extends Core, Apps, Counting, Inspection, ApiWithEvents, SignInServices {
  /** What admins see of who is online. */
  readonly liveView: LiveView;
  /** Stores who is and was online. */
  readonly onlineRecorder: OnlineRecorder;
  readonly wallboards: Wallboards;
  /** Give the count to other sites. */
  readonly embeds: Embeds;
  /** Count the visitors of other sites. */
  readonly siteTags: SiteTags;
  /** What one server of an installation does. */
  readonly tasks: LeaderTasks;
  /** Sends clients to the other servers while only those reach Redis. */
  partitionWatch?: PartitionWatch;
  /** The actions of admins; add entries with `audit`. */
  readonly auditLog: AuditLog;
  /** Deletes old entries of the admin log; undefined: all are kept. */
  readonly auditExpiry: ReturnType<typeof startAuditExpiry>;
  readonly metrics: Metrics;
  /** Checks of the public address. */
  readonly checks: ServerChecks;
  /** Notices a proxy in front that is not trusted. */
  readonly untrustedProxy: UntrustedProxy;
  /** Limits the messages that admins send. */
  readonly sendingLimit: SendingLimit;
  /** Limits the marks that tokens add. */
  readonly markLimit: SendingLimit;
  /** Limits the tests that admins send to receivers of alerts. */
  readonly alertTestLimit: SendingLimit;
  /** Limits the test emails that admins send. */
  readonly mailTestLimit: SendingLimit;
  /** Sends links to who forgot the password; undefined: ask an admin. */
  readonly forgottenPasswords: ForgottenPasswords | undefined;
}

type Inspection = ReturnType<typeof startInspection>;

/**
 * Opens the database, starts the realtime server and delivers the events that webhooks did not receive
 * before the last stop. Does not listen.
 */
export async function openServices(config: Core["config"]): Promise<Services> {
  const core = await openCore(config);
  const counting = await startCounting(core);
  const { webhooks, counted } = counting;
  const apps = await startApps(core, () => {
    for (const { presence } of counted) presence.appsChanged();
    liveView.appsChanged();
    inspection.channelStats.forget();
    inspection.inspector.appsChanged();
  });
  const inspection = startInspection(core, () => apps.apps.list());
  const [{ recovery }] = counted;
  const metrics = new Metrics({
    realtime: core.realtime,
    servers: core.servers,
    outages: core.database.outages,
    webhooks,
    alerts: counting.alertSender,
    counted,
    recovery,
  });
  const liveView = startLiveView(core, counted, (appId) => apps.apps.nameAmongSeveral(appId));
  const onlineRecorder = startRecording(core, counted, liveView);
  const api = startApiWithEvents(core, counted, liveView);
  const signIn = await startSignIn(core);
  const auditLog = new AuditLog(core.database);
  const services: Services = Object.assign(core, apps, counting, inspection, api, signIn, {
    liveView,
    onlineRecorder,
    wallboards: startWallboards(core, counted[0], onlineRecorder.historyOf(counted[0].key)),
    embeds: await startEmbeds(core, counted[0]),
    siteTags: startSiteTags(core),
    tasks: new LeaderTasks(core, counting, onlineRecorder),
    auditLog,
    auditExpiry: startAuditExpiry(auditLog, core.config.auditDays),
    metrics,
    checks: openChecks(core),
    untrustedProxy: new UntrustedProxy(),
    sendingLimit: new SendingLimit(30),
    markLimit: new SendingLimit(30),
    alertTestLimit: new SendingLimit(5),
    mailTestLimit: new SendingLimit(5),
    forgottenPasswords: startForgottenPasswords(core, auditLog),
  });
  services.partitionWatch = await startSharing(services, watchEventLoop(metrics.registry));
  return services;
}
