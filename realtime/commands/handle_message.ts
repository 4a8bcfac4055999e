import type { z } from "zod";
import { isClientEvent, relay } from "./client_events.ts";
import type { Connection } from "../connections/connection.ts";
import { byteLength } from "../protocol/frame.ts";
import {
  readChannelData,
  readFrame,
  readValue,
  subscribeData,
  unsubscribeData,
} from "../protocol/incoming.ts";
import type { Limits } from "../limits.ts";
import { memberWith } from "./member_data.ts";
import { pong, subscriptionError } from "../protocol/outgoing.ts";
import { channelKind, serverToUserChannel } from "../protocol/protocol.ts";
import type { RealtimeApp } from "../app.ts";
import type { LimitName, Refusals } from "../connections/refusals.ts";
import { signIn } from "./sign_in.ts";
import { verifyChannel } from "../protocol/signature.ts";
import type { Member } from "../brokers/broker.ts";

/** What a command works with. */
export interface Setting {
  readonly app: RealtimeApp;
  readonly connection: Connection;
  readonly limits: Limits;
  readonly now: number;
  /** Counts limits that were passed. */
  readonly refusals: Refusals;
}

type Command = (setting: Setting, data: unknown) => void;

/** Every event that a client may send, and what it does. */
const commands: ReadonlyMap<string, Command> = new Map<string, Command>([
  ["pusher:ping", ({ connection }) => connection.send(pong)],
  ["pusher:pong", () => {}],
  ["pusher:subscribe", subscribe],
  ["pusher:unsubscribe", unsubscribe],
  ["pusher:signin", signIn],
]);

/** Does what a frame of a client asks. Whatever is wrong with it becomes an answer, never an error. */
export function obey(setting: Setting, data: unknown): void {
  const { connection, now, refusals } = setting;
  const { maxFrameBytes, maxMessagesPerSecond } = setting.limits;
  if (!connection.messages.allows(now, maxMessagesPerSecond)) {
    refusals.count("messagesPerSecond", connection);
    return refuse(setting, `A connection may send ${maxMessagesPerSecond} messages a second`);
  }
  if (typeof data !== "string") return refuse(setting, "Binary frames are not supported");
  if (byteLength(data) > maxFrameBytes) {
    refusals.count("frameBytes", connection);
    return refuse(setting, `The frame is over the limit of ${maxFrameBytes} bytes`);
  }
  const frame = readFrame(data);
  if (!frame.ok) return refuse(setting, frame.fault);
  const { event } = frame.value;
  const command = commands.get(event);
  if (command) return command(setting, frame.value.data);
  if (isClientEvent(event)) return relay(setting, frame.value);
  refuse(setting, `Unknown event ${event}`);
}

function refuse({ connection, now }: Setting, message: string): void {
  connection.refuse(message, now);
}

function refuseChannel(setting: Setting, channel: string, error: string, limit?: LimitName): void {
  if (limit) setting.refusals.count(limit, setting.connection);
  const data = limit
    ? { type: "LimitReached", error, status: 4004 }
    : { type: "AuthError", error, status: 401 };
  setting.connection.refuse(error, setting.now, subscriptionError(channel, data));
}

function subscribe(setting: Setting, data: unknown): void {
  const read = readValue(data, subscribeData, "subscription");
  if (!read.ok) return refuse(setting, read.fault);
  const { app, connection, limits } = setting;
  const { channel } = read.value;
  if (connection.subscriptions.has(channel)) {
    return refuse(setting, `Existing subscription to channel ${channel}`);
  }
  if (connection.subscriptions.size >= limits.maxSubscriptionsPerConnection) {
    const most = limits.maxSubscriptionsPerConnection;
    return refuseChannel(
      setting,
      channel,
      `A connection may join ${most} channels`,
      "subscriptionsOfConnection",
    );
  }
  if (!app.hub.channels.has(channel) && app.hub.channels.size >= limits.maxChannels) {
    return refuseChannel(setting, channel, "There are too many channels", "channels");
  }
  const fault = authorizationFault(setting, read.value);
  if (fault !== undefined) return refuseChannel(setting, channel, fault);
  const kind = channelKind(channel);
  if (kind === "presence") return joinPresence(setting, read.value);
  if (kind === "private") app.authorized(connection);
  app.hub.join(connection, channel);
}

type SubscribeData = z.infer<typeof subscribeData>;

function authorizationFault(
  { app, connection }: Setting,
  { channel, auth, channel_data: channelData }: SubscribeData,
): string | undefined {
  if (channel.startsWith("#")) {
    const { user } = connection;
    const isOwn = user !== undefined && channel === serverToUserChannel(user.id);
    return isOwn ? undefined : `Only its user may join the channel ${channel}`;
  }
  if (channelKind(channel) === "public") return undefined;
  const result = verifyChannel(app.rules, auth, connection.id, channel, channelData);
  return result.ok ? undefined : result.message;
}

function joinPresence(setting: Setting, { channel, channel_data: channelData }: SubscribeData) {
  const { app } = setting;
  const member = memberOf(setting, channelData);
  if (typeof member === "string") return refuseChannel(setting, channel, member);
  const most = app.rules.presenceMaxMembers;
  if (app.hub.presence(channel)?.hasRoomFor(member.id, most) === false) {
    return refuseChannel(setting, channel, `The channel is full: ${most} members`, "members");
  }
  app.authorized(setting.connection);
  app.hub.joinAs(setting.connection, channel, member);
}

/** Who joins: by `channel_data`, or by sign-in. A text says why nobody does. */
function memberOf(
  { app, connection, refusals }: Setting,
  channelData: string | undefined,
): Member | string {
  if (channelData === undefined) {
    return connection.user ?? "A presence channel needs channel_data or a signed-in user";
  }
  const read = readChannelData(channelData);
  if (!read.ok) return read.fault;
  return memberWith(read.value, app.rules, refusals, connection);
}

function unsubscribe(setting: Setting, data: unknown): void {
  const read = readValue(data, unsubscribeData, "subscription");
  if (!read.ok) return refuse(setting, read.fault);
  const { channel } = read.value;
  if (setting.app.hub.leave(setting.connection, channel)) return;
  refuse(
    setting,
    `No current subscription to channel ${channel}, or subscription in progress`,
  );
}
