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
import type { App } from "../app.ts";
import type { LimitName, Refusals } from "../connections/refusals.ts";
import { signIn } from "./sign_in.ts";
import { verifyChannel } from "../protocol/signature.ts";
import type { Member } from "../brokers/broker.ts";

/** What a command works with. */
export interface CommandContext {
  readonly app: App;
  readonly connection: Connection;
  readonly limits: Limits;
  readonly now: number;
  /** Counts limits that were passed. */
  readonly refusals: Refusals;
}

type Command = (context: CommandContext, data: unknown) => void;

/** Every event that a client may send, and what it does. */
const commands: ReadonlyMap<string, Command> = new Map<string, Command>([
  ["pusher:ping", ({ connection }) => connection.send(pong)],
  ["pusher:pong", () => {}],
  ["pusher:subscribe", subscribe],
  ["pusher:unsubscribe", unsubscribe],
  ["pusher:signin", signIn],
]);

/** Does what a frame of a client asks. Whatever is wrong with it becomes an answer, never an error. */
export function handleMessage(context: CommandContext, data: unknown): void {
  const { app, connection, now, refusals } = context;
  const { maxFrameBytes } = context.limits;
  const { maxMessagesPerSecond } = app.rules;
  if (!connection.messages.allows(now, maxMessagesPerSecond)) {
    refusals.count("messagesPerSecond", connection);
    return refuse(context, `A connection may send ${maxMessagesPerSecond} messages a second`);
  }
  if (typeof data !== "string") return refuse(context, "Binary frames are not supported");
  if (byteLength(data) > maxFrameBytes) {
    refusals.count("frameBytes", connection);
    return refuse(context, `The frame is over the limit of ${maxFrameBytes} bytes`);
  }
  const frame = readFrame(data);
  if (!frame.ok) return refuse(context, frame.fault);
  const { event } = frame.value;
  const command = commands.get(event);
  if (command) return command(context, frame.value.data);
  if (isClientEvent(event)) return relay(context, frame.value);
  refuse(context, `Unknown event ${event}`);
}

function refuse({ connection, now }: CommandContext, message: string): void {
  connection.refuse(message, now);
}

function refuseChannel(
  context: CommandContext,
  channel: string,
  error: string,
  limit?: LimitName,
): void {
  if (limit) context.refusals.count(limit, context.connection);
  const data = limit
    ? { type: "LimitReached", error, status: 4004 }
    : { type: "AuthError", error, status: 401 };
  context.connection.refuse(error, context.now, subscriptionError(channel, data));
}

function subscribe(context: CommandContext, data: unknown): void {
  const read = readValue(data, subscribeData, "subscription");
  if (!read.ok) return refuse(context, read.fault);
  const { app, connection, limits } = context;
  const { channel } = read.value;
  if (connection.subscriptions.has(channel)) {
    return refuse(context, `Existing subscription to channel ${channel}`);
  }
  if (connection.subscriptions.size >= limits.maxSubscriptionsPerConnection) {
    const most = limits.maxSubscriptionsPerConnection;
    return refuseChannel(
      context,
      channel,
      `A connection may join ${most} channels`,
      "subscriptionsOfConnection",
    );
  }
  if (!app.hub.channels.has(channel) && app.hub.channels.size >= limits.maxChannels) {
    return refuseChannel(context, channel, "There are too many channels", "channels");
  }
  const fault = authorizationFault(context, read.value);
  if (fault !== undefined) return refuseChannel(context, channel, fault);
  const kind = channelKind(channel);
  if (kind === "presence") return joinPresence(context, read.value);
  if (kind === "private") app.authorized(connection);
  app.hub.join(connection, channel);
}

type SubscribeData = z.infer<typeof subscribeData>;

function authorizationFault(
  { app, connection }: CommandContext,
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

function joinPresence(
  context: CommandContext,
  { channel, channel_data: channelData }: SubscribeData,
) {
  const { app } = context;
  const member = memberOf(context, channelData);
  if (typeof member === "string") return refuseChannel(context, channel, member);
  const most = app.rules.presenceMaxMembers;
  if (app.hub.presence(channel)?.hasRoomFor(member.id, most) === false) {
    return refuseChannel(context, channel, `The channel is full: ${most} members`, "members");
  }
  app.authorized(context.connection);
  app.hub.joinAs(context.connection, channel, member);
}

/** Who joins: by `channel_data`, or by sign-in. A text says why nobody does. */
function memberOf(
  { app, connection, refusals }: CommandContext,
  channelData: string | undefined,
): Member | string {
  if (channelData === undefined) {
    return connection.user ?? "A presence channel needs channel_data or a signed-in user";
  }
  const read = readChannelData(channelData);
  if (!read.ok) return read.fault;
  return memberWith(read.value, app.rules, refusals, connection);
}

function unsubscribe(context: CommandContext, data: unknown): void {
  const read = readValue(data, unsubscribeData, "subscription");
  if (!read.ok) return refuse(context, read.fault);
  const { channel } = read.value;
  if (context.app.hub.leave(context.connection, channel)) return;
  refuse(
    context,
    `No current subscription to channel ${channel}, or subscription in progress`,
  );
}
