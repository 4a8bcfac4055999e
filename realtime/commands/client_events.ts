import type { z } from "zod";
import { isReserved } from "../app_config.ts";
import { channelKind, isEncryptedChannel } from "../protocol/channel_names.ts";
import { errorCodes } from "../protocol/close_codes.ts";
import { byteLength, errorFrame } from "../protocol/outgoing.ts";
import {
  type ClientFrame,
  readValue,
  reportedActivity,
  reportedPage,
} from "../protocol/incoming.ts";
import type { CommandContext } from "./context.ts";

/** Whether an event is one that clients send to each other. */
export function isClientEvent(event: string): boolean {
  return event.startsWith("client-");
}

/**
 * Sends a client event to the other subscribers of its channel, or answers why not. A refusal never
 * counts towards the limit of errors: pages send these events while a user types or moves the mouse.
 */
export function relayClientEvent(
  context: CommandContext,
  { event, channel, data }: ClientFrame,
): void {
  const { app, connection } = context;
  const { clientEvents, clientEventsPerSecond, maxEventBytes } = app.settings;
  if (!clientEvents) return refuse(context, "Client events are not enabled for this app");
  const subscription = typeof channel === "string"
    ? connection.subscriptions.get(channel)
    : undefined;
  if (typeof channel !== "string" || !subscription) {
    return refuse(context, "A client event needs a channel that its sender is subscribed to");
  }
  if (subscription.observerId !== undefined) {
    return refuse(context, "Observers cannot send client events");
  }
  if (isReserved(app.settings, channel)) return refuse(context, "The channel is reserved");
  const fault = channelFault(channel);
  if (fault !== undefined) return refuse(context, fault);
  if (sizeOf(data) > maxEventBytes) {
    context.limitCounters.count("eventBytes", connection);
    return refuse(context, `The data of the event is over the limit of ${maxEventBytes} bytes`);
  }
  if (!connection.clientEvents.allows(context.now, clientEventsPerSecond)) {
    context.limitCounters.count("clientEventsPerSecond", connection);
    const message = `A connection may send ${clientEventsPerSecond} client events a second`;
    return refuse(context, message, errorCodes.clientEventRate);
  }
  const { userId } = subscription;
  app.relay({ channel, event, data, socketId: connection.id, userId });
}

function channelFault(channel: string): string | undefined {
  if (channelKind(channel) === "public") {
    return "Client events are for private and presence channels";
  }
  return isEncryptedChannel(channel) ? "Client events are not for encrypted channels" : undefined;
}

function sizeOf(data: unknown): number {
  return byteLength(typeof data === "string" ? data : JSON.stringify(data) ?? "");
}

function refuse({ connection }: CommandContext, message: string, code?: number): void {
  connection.send(errorFrame(message, code));
}

/**
 * Keeps the page that a client reports on a presence channel, or answers why not; it is sent to no
 * one. As with client events, a refusal never counts towards the limit of errors.
 */
export function reportPage(context: CommandContext, frame: ClientFrame): void {
  const { app, connection } = context;
  const report = readReport(context, frame, reportedPage, "page");
  if (report) app.pages.report(connection, report.channel, report.value);
}

/** Keeps whether a client's tab is used, by the rules of {@link reportPage}. */
export function reportActivity(context: CommandContext, frame: ClientFrame): void {
  const { app, connection } = context;
  const report = readReport(context, frame, reportedActivity, "activity");
  if (report) app.activity.report(connection, report.channel, report.value);
}

/** @param what names the value in the refusal. @returns undefined after a refusal */
function readReport<S extends z.ZodType>(
  context: CommandContext,
  { channel, data }: ClientFrame,
  schema: S,
  what: "page" | "activity",
): { channel: string; value: z.infer<S> } | undefined {
  const isMember = typeof channel === "string" && channelKind(channel) === "presence" &&
    context.connection.subscriptions.get(channel)?.userId !== undefined;
  if (!isMember) {
    const article = what === "page" ? "A page" : "An activity";
    refuse(context, `${article} needs a presence channel that its sender is a member of`);
    return undefined;
  }
  const result = readValue(data, schema, what);
  if (result.ok) return { channel, value: result.value };
  refuse(context, result.fault);
}
