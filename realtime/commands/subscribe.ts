import { errorFrame, signinSuccess } from "../protocol/outgoing.ts";
import { maxWatchlistLength, type Member, type MemberOptions } from "../protocol/member.ts";
import {
  closeBlocked,
  type CommandContext,
  type CommandRejection,
  refuse,
  refuseSubscription,
  reject,
  rejectSubscription,
} from "./context.ts";
import { type AppSettings, isReserved, signerFor } from "../app_config.ts";
import {
  type ChannelLimit,
  exceededInfoLimit,
  type PresenceLimit,
} from "../channels/channel_limits.ts";
import { TokenBucket } from "../timing/budget.ts";
import { channelKind, serverToUserChannel } from "../protocol/channel_names.ts";
import {
  readChannelData,
  readUserData,
  readValue,
  signinData,
  type SubscribeData,
  subscribeData,
  unsubscribeData,
} from "../protocol/incoming.ts";
import { verifyChannel, verifyUser } from "../protocol/signature.ts";
import { errorCodes } from "../protocol/close_codes.ts";

/**
 * The member with an id and `user_info`; without `user_info` it is `{}`, because the member list has
 * an entry for each member.
 *
 * @returns a sentence for the client's developer when `user_info` exceeds the app's limit.
 */
function memberOf(
  { app, connection, limitCounters }: CommandContext,
  { id, info, options }: { id: string; info: unknown; options: MemberOptions | undefined },
): Member | string {
  const text = JSON.stringify(info ?? {});
  const fault = exceededInfoLimit(text, app.settings);
  if (fault === undefined) return { id, info: text, options };
  limitCounters.count("memberBytes", connection);
  return fault;
}

/** `pusher:subscribe`: checks limits, signature and member, then subscribes the connection. */
export function subscribe(context: CommandContext, data: unknown): void {
  const result = readValue(data, subscribeData, "subscription");
  if (!result.ok) return reject(context, { reason: "wrong_channel", message: result.fault });
  const { app, connection } = context;
  const { channel, channel_data: channelData } = result.value;
  if (connection.subscriptions.has(channel)) {
    return refuse(context, `Existing subscription to channel ${channel}`);
  }
  if (exceedsLimit(context, channel)) return;
  const rejection = authorizationFault(context, result.value);
  if (rejection) return rejectSubscription(context, channel, rejection);
  if (exceedsBudget(context, channel)) return;
  const kind = channelKind(channel);
  const member = kind === "presence" ? subscribingMember(context, channelData) : undefined;
  if (typeof member === "string") {
    return rejectSubscription(context, channel, { reason: "wrong_member", message: member });
  }
  if (member && closeBlocked(context, member.id, channel)) return;
  const limit = app.hub.subscribe(connection, channel, member);
  if (limit) {
    return refuseSubscription(context, channel, presenceFaults[limit](app.settings), limit);
  }
  if (kind !== "public") app.authorized(connection);
}

/** Refuses a subscription whose channel turned out to be full. */
export function refuseFull(context: CommandContext, channel: string, limit: PresenceLimit): void {
  refuseSubscription(context, channel, presenceFaults[limit](context.app.settings), limit);
}

const signQuiet = 'sign channel_data with "rollcall": {"quiet": true} to join as a quiet member';

const presenceFaults: Record<PresenceLimit, (settings: AppSettings) => string> = {
  members: ({ presenceMaxMembers: max }) => `The channel is full: ${max} members`,
  fullMembers: ({ presenceMaxFullMembers: max }) =>
    `The channel has ${max} members that are sent every change; ${signQuiet}`,
  memberList: () => `The member list of the channel is too long; ${signQuiet}`,
};

/**
 * Refuses a subscription of a client that subscribes and unsubscribes again and again: in a presence
 * channel, each time is sent to all members.
 */
function exceedsBudget(context: CommandContext, channel: string): boolean {
  const { app, connection, limits, now } = context;
  connection.subscribing ??= new TokenBucket();
  if (!connection.subscribing.take(now, limits.subscriptionBudget)) {
    const error = "The connection subscribes too often";
    refuseSubscription(context, channel, error, "subscriptionBudget");
    return true;
  }
  const { address, hasLeftPresence } = connection;
  const presence = app.hub.presence(channel);
  const isCounted = address !== undefined && limits.maxConnectionsPerAddress > 0;
  if (!presence?.members.size || !hasLeftPresence || !isCounted) return false;
  const cost = Math.max(leastRejoinCost, 2 * presence.toldOfChanges);
  if (app.rejoins.take(address, now, cost)) return false;
  const error = "Your address leaves and joins presence channels too often";
  refuseSubscription(context, channel, error, "rejoinBudget");
  return true;
}

/** However few members are notified, activity and webhooks are written. */
const leastRejoinCost = 50;

/** Refuses a subscription that exceeds the limit of the connection or of the server. */
function exceedsLimit(context: CommandContext, channel: string): boolean {
  const { app, connection, limits } = context;
  const max = limits.maxSubscriptionsPerConnection;
  if (connection.subscriptions.size >= max) {
    const error = `A connection may subscribe to ${max} channels`;
    refuseSubscription(context, channel, error, "subscriptionsOfConnection");
    return true;
  }
  const limit = app.hub.exceededBy(channel, connection.address);
  if (limit) refuseSubscription(context, channel, channelFaults[limit], limit);
  return limit !== undefined;
}

const channelFaults: Record<ChannelLimit, string> = {
  channels: "The server has reached its limit of channels",
  publicChannels: "The server has reached its limit of public channels",
  publicChannelsOfAddress: "Your address has reached its limit of public channels",
};

function authorizationFault(
  { app, connection }: CommandContext,
  { channel, auth, channel_data: channelData }: SubscribeData,
): CommandRejection | undefined {
  if (channel.startsWith("#")) {
    const { user } = connection;
    const isOwn = user !== undefined && channel === serverToUserChannel(user.id);
    const message = `Only its user may subscribe to the channel ${channel}`;
    return isOwn ? undefined : { reason: "wrong_channel", message };
  }
  if (channelKind(channel) === "public") return undefined;
  const signer = signerFor(app.settings, channel);
  const result = verifyChannel(signer, auth, connection.id, channel, channelData);
  if (result.ok) return undefined;
  if (!isReserved(app.settings, channel)) return result;
  const message = `The channel ${channel} is reserved for Rollcall's own pages`;
  return { reason: "reserved_channel", message };
}

/** The member by `channel_data`, or else by sign-in; a sentence when there is none. */
function subscribingMember(
  context: CommandContext,
  channelData: string | undefined,
): Member | string {
  if (channelData === undefined) {
    const { user } = context.connection;
    return user ?? "A presence channel needs channel_data or a signed-in user";
  }
  const result = readChannelData(channelData);
  return result.ok ? memberOf(context, result.value) : result.fault;
}

/** `pusher:unsubscribe`; the protocol has no answer to it unless there is no such subscription. */
export function unsubscribe(context: CommandContext, data: unknown): void {
  const result = readValue(data, unsubscribeData, "subscription");
  if (!result.ok) return refuse(context, result.fault);
  const { channel } = result.value;
  const { app, connection } = context;
  if (app.hub.unsubscribe(connection, channel)) {
    if (channelKind(channel) === "presence") connection.hasLeftPresence = true;
    return;
  }
  refuse(
    context,
    `No current subscription to channel ${channel}, or subscription in progress`,
  );
}

/** `pusher:signin`. Signing in again as the same user succeeds and changes nothing. */
export function signIn(context: CommandContext, data: unknown): void {
  const { app, connection } = context;
  const result = readValue(data, signinData, "sign-in");
  if (!result.ok) return refuse(context, result.fault);
  const { auth, user_data: userData } = result.value;
  const verified = verifyUser(app.settings, auth, connection.id, userData);
  if (!verified.ok) return reject(context, verified);
  const user = readUserData(userData);
  if (!user.ok) return reject(context, { reason: "wrong_member", message: user.fault });
  if (connection.user && connection.user.id !== user.value.id) {
    return refuse(context, "The connection is signed in as another user");
  }
  const member = memberOf(context, user.value);
  if (typeof member === "string") return refuse(context, member);
  if (closeBlocked(context, member.id)) return;
  connection.send(signinSuccess(answered(userData, member.id)));
  if (connection.user) return;
  const watched = new Set(app.settings.watchlist ? user.value.watchlist : []);
  const isTooLong = watched.size > maxWatchlistLength;
  if (isTooLong) connection.send(errorFrame(tooLong, errorCodes.watchlistTooLong));
  app.signedIn(connection, { ...member, watchlist: isTooLong ? [] : [...watched] });
}

/** `user_data` with its id as text: pusher-js signs in with no number, which Laravel's library signs. */
function answered(userData: string, id: string): string {
  const data = JSON.parse(userData);
  return data.id === id ? userData : JSON.stringify({ ...data, id });
}

const tooLong = `A watchlist may have ${maxWatchlistLength} users; this one is ignored`;
