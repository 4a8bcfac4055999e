import type { CommandContext } from "./handle_message.ts";
import { byteLength } from "../protocol/frame.ts";
import type { ClientFrame } from "../protocol/incoming.ts";
import { clientEvent, errorFrame } from "../protocol/outgoing.ts";
import { channelKind, errorCodes, isEncryptedChannel } from "../protocol/protocol.ts";

/** Whether an event is one that clients send to each other. */
export function isClientEvent(event: string): boolean {
  return event.startsWith("client-");
}

/**
 * Passes an event of a client on to the others in a channel, or tells the client why not. A refusal
 * here never counts towards closing the connection: pages send these as people type and move.
 */
export function relay(context: CommandContext, { event, channel, data }: ClientFrame): void {
  const { app, connection } = context;
  const subscription = typeof channel === "string"
    ? connection.subscriptions.get(channel)
    : undefined;
  if (!app.rules.clientEvents) return refuse(context, "Client events are not enabled for this app");
  if (!subscription) {
    return refuse(context, "A client event needs a channel that its sender joined");
  }
  const { channel: { name }, userId } = subscription;
  const fault = channelFault(name);
  if (fault !== undefined) return refuse(context, fault);
  const { maxEventBytes } = app.rules;
  if (sizeOf(data) > maxEventBytes) {
    context.refusals.count("eventBytes", connection);
    return refuse(context, `The data of the event is over the limit of ${maxEventBytes} bytes`);
  }
  const most = app.rules.clientEventsPerSecond;
  if (!connection.clientEvents.allows(context.now, most)) {
    context.refusals.count("clientEventsPerSecond", connection);
    const message = `A connection may send ${most} client events a second`;
    return refuse(context, message, errorCodes.clientEventRate);
  }
  const { id: socketId } = connection;
  app.hub.publish(name, clientEvent(name, event, data, userId), socketId);
  app.occurred({ name: "client_event", channel: name, event, data, socketId, userId });
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
