import { usesExternalServer } from "../config/client_options.ts";
import { WebhookOutbox } from "../database/webhook_outbox.ts";
import { entryLog } from "../observability/logging.ts";
import { placeOf } from "../alert/alert_message.ts";
import { AlertReceivers } from "../alert/alert_receivers.ts";
import { AlertSender } from "../alert/alert_sender.ts";
import { mayReceiveAlert, sendToPublicAddress } from "../alert/alert_webhook.ts";
import { AlertRules, ChannelFacts } from "../alert/channel_facts.ts";
import { RuleWatch } from "../alert/rule_watch.ts";
import { ThresholdAlert } from "../alert/threshold_alert.ts";
import { ChannelPresence } from "../presence/channel_presence.ts";
import { type CountedTarget, countedTargets } from "../presence/counted_target.ts";
import { History } from "../history/stored_history.ts";
import { RecoveryWatch } from "../presence/recovery_watch.ts";
import { systemClock } from "@/realtime/timing/clock.ts";
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

/** The counted channels, and what tells others of them. */
export interface Counting {
  /** The users online first. */
  readonly counted: readonly CountedChannel[];
  /** Sends events of the apps to their webhooks. */
  readonly webhooks: Webhooks;
  /** Tells the receivers of alerts. */
  readonly alertSender: AlertSender;
  /** Whom alerts are told. */
  readonly alertReceivers: AlertReceivers;
  /** Rules besides the alerts of the channels. */
  readonly alertRules: AlertRules;
  readonly ruleWatch: RuleWatch;
}

/** Follows the counted channels, with their alerts and whom these are told. */
export async function startCounting(core: Core): Promise<Counting> {
  const { cluster, config, database, mailer, realtime, broadcast, served, term } = core;
  const allowed = config.alertWebhookNetworks;
  const mayReceive = (url: string) => mayReceiveAlert(url, allowed);
  const isOperators = (url: string) =>
    served.own.webhooks?.some((known) => known.url === url) ?? false;
  const sending = {
    database,
    send: sendToPublicAddress(allowed, isOperators),
    app: () => served.own,
    ...mailer && { mail: { mailer, appUrl: config.appUrl, database } },
    clock: systemClock,
  };
  const alertSender = new AlertSender({
    ...sending,
    ...term && { term },
    log: entryLog("webhooks"),
  });
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
      mayReceive,
      wakeSender: () => alertSender.wake(),
      ...term && { term },
      changed: () => cluster?.bus.changes.changed("alerts"),
    });
    return { ...channel, alert };
  };
  const counted = await Promise.all((await followChannels(core)).map(openAlert));
  const webhooks = new Webhooks({
    store: new WebhookOutbox(database, term),
    appOf: (id) => realtime.app(id)?.settings,
    presenceGraceMs: config.presenceGraceMs,
    log: entryLog("webhooks"),
  });
  const alertReceivers = new AlertReceivers({ ...sending, mayReceive });
  const facts = new Map(
    counted.map((channel) => [
      channel.key,
      new ChannelFacts(database, channel, core.servers, systemClock),
    ]),
  );
  const ruleWatch = new RuleWatch({
    database,
    ...term && { term },
    facts: async (key, rules) => await facts.get(key)?.read(rules) ?? null,
    placeOf: (key) => placeOf(counted.find((channel) => channel.key === key) ?? counted[0]),
    forget: () => facts.forEach((one) => one.forget()),
    wakeSender: () => alertSender.wake(),
    log: entryLog("records"),
  });
  const alertRules = new AlertRules(database, facts);
  return { webhooks, counted, alertSender, alertReceivers, alertRules, ruleWatch };
}
