import { usesExternalServer } from "../config/client_options.ts";
import { WebhookOutbox } from "../database/webhook_outbox.ts";
import { entryLog } from "../observability/logging.ts";
import { mayReceiveAlert, postToPublicAddress, testPublicAddress } from "../alert/alert_webhook.ts";
import { ThresholdAlert } from "../alert/threshold_alert.ts";
import { ChannelPresence } from "../presence/channel_presence.ts";
import { type CountedTarget, countedTargets } from "../presence/counted_target.ts";
import { History } from "../history/stored_history.ts";
import { RecoveryWatch } from "../presence/recovery_watch.ts";
import type { Webhook } from "@/realtime/app_config.ts";
import { systemClock } from "@/realtime/timing/clock.ts";
import { postWebhook } from "@/realtime/webhooks/webhook_sender.ts";
import { Webhooks } from "@/realtime/webhooks/webhooks.ts";
import type { Core } from "../core.ts";

/** A counted channel whose users are followed. */
export interface FollowedChannel extends CountedTarget {
  presence: ChannelPresence;
  /** Who comes back after the start. */
  recovery: RecoveryWatch;
}

/** A counted channel, with what is known of its users. */
export interface CountedChannel extends FollowedChannel {
  alert: ThresholdAlert;
}

/** Follows the users of the counted channels, and who comes back after this start. */
async function followChannels(
  { cluster, config, database, realtime, served, servers }: Core,
): Promise<FollowedChannel[]> {
  const targets = countedTargets(config.countedChannels, served.own.id);
  // Another server, if there is one, counts by itself.
  const isCountedHere = !usesExternalServer(config.pusher);
  await cluster?.servers.findOthers();

  return await Promise.all(targets.map(async (target) => {
    const presence = new ChannelPresence(realtime, target);
    const before = isCountedHere && !servers.hasCertainOthers
      ? await new History(database, target.key).lastUsers()
      : 0;
    const recovery = new RecoveryWatch({
      before,
      servers,
      presence: () => presence.counts,
      onPresence: (listener) => presence.onPresence(listener),
      clock: systemClock,
    });
    return { ...target, presence, recovery };
  }));
}

/** Webhooks and the alerts depend on each other: the webhooks of the alerts are the own app's. */
export async function startCounting(
  core: Core,
): Promise<{ webhooks: Webhooks; counted: CountedChannel[] }> {
  const { cluster, config, database, realtime, broadcast, served, term } = core;
  const test = testPublicAddress(config.alertWebhookNetworks);
  const openAlert = async (channel: FollowedChannel): Promise<CountedChannel> => {
    const { pagesChannel, presence, recovery } = channel;
    const alert = await ThresholdAlert.open({
      channel,
      database,
      presence,
      recovery,
      log: entryLog("records"),
      // Of several servers, one watches the number for the pages of all.
      isWatched: () => cluster !== undefined || core.ownApp.isOccupied(pagesChannel),
      publish: (view) => broadcast(pagesChannel, "AlertChanged", view),
      mayReceive: (url) => mayReceiveAlert(url, config.alertWebhookNetworks),
      prepareWebhook: (event, webhook) => webhooks.prepare(event, served.own.id, webhook),
      sendTest: (url, body) => test(url, served.own, body),
      ...term && { term },
      changed: () => cluster?.bus.changes.changed("alerts"),
    });
    return { ...channel, alert };
  };
  const counted = await Promise.all((await followChannels(core)).map(openAlert));
  const alertWebhooks = () => webhooksOf(counted);
  const postAlert = postToPublicAddress(config.alertWebhookNetworks);
  /** Whether the operator entered it; who may enter others is an admin, who can be less trusted. */
  const isOperators = (url: string) => served.own.webhooks?.some((known) => known.url === url);
  const isAlerts = (url: string) => alertWebhooks().some((known) => known.url === url);
  const webhooks = new Webhooks({
    send: (url, ...rest) =>
      isAlerts(url) && !isOperators(url) ? postAlert(url, ...rest) : postWebhook(url, ...rest),
    store: new WebhookOutbox(database, term),
    appOf: (id) => realtime.app(id)?.settings,
    webhooksOf: ({ id, webhooks }) =>
      id === served.own.id ? [...webhooks, ...alertWebhooks()] : webhooks,
    presenceGraceMs: config.presenceGraceMs,
    log: entryLog("webhooks"),
  });
  return { webhooks, counted };
}

/** The webhooks of the alerts, each once. */
function webhooksOf(counted: readonly CountedChannel[]): Webhook[] {
  const all = counted.flatMap(({ alert }) => alert.webhooks);
  return [...new Map(all.map((webhook) => [webhook.url, webhook])).values()];
}
