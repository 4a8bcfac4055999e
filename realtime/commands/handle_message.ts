import type { App } from "../app.ts";
import type { Connection } from "../connections/connection.ts";
import type { LimitCounters } from "../connections/limit_counters.ts";
import type { Limits } from "../options.ts";
import { byteLength, pong } from "../protocol/outgoing.ts";
import { readFrame, reportedActivityEvent, reportedPageEvent } from "../protocol/incoming.ts";
import type { Clock } from "../timing/clock.ts";
import { isClientEvent, relayClientEvent, reportActivity, reportPage } from "./client_events.ts";
import { type Command, type CommandContext, refuse } from "./context.ts";
import { refuseFull, signIn, subscribe, unsubscribe } from "./subscribe.ts";

/** Every event of the protocol that a client may send, and the command that carries it out. */
const commands: ReadonlyMap<string, Command> = new Map<string, Command>([
  ["pusher:ping", ({ connection }) => connection.send(pong)],
  ["pusher:pong", () => {}],
  ["pusher:subscribe", subscribe],
  ["pusher:unsubscribe", unsubscribe],
  ["pusher:signin", signIn],
]);

/** Makes the function that takes every frame of an app's connections. */
export function messageHandler({ app, clock, limits, limitCounters }: {
  app: App;
  clock: Clock;
  limits: Limits;
  limitCounters: LimitCounters;
}): (connection: Connection, data: unknown) => void {
  app.onFull = (connection, channel, limit) =>
    refuseFull({ app, connection, limits, now: clock.now(), limitCounters }, channel, limit);
  return (connection, data) => {
    const now = connection.lastFrameAt = clock.now();
    app.received();
    handleMessage({ app, connection, limits, now, limitCounters }, data);
  };
}

function handleMessage(context: CommandContext, data: unknown): void {
  const { app, connection, limits: { maxFrameBytes }, now, limitCounters } = context;
  const { maxMessagesPerSecond } = app.settings;
  if (!connection.messages.allows(now, maxMessagesPerSecond)) {
    limitCounters.count("messagesPerSecond", connection);
    return refuse(context, `A connection may send ${maxMessagesPerSecond} messages a second`);
  }
  if (typeof data !== "string") return refuse(context, "Binary frames are not supported");
  if (byteLength(data) > maxFrameBytes) {
    limitCounters.count("frameBytes", connection);
    return refuse(context, `The frame is over the limit of ${maxFrameBytes} bytes`);
  }
  const frame = readFrame(data);
  if (!frame.ok) return refuse(context, frame.fault);
  const { event } = frame.value;
  const command = commands.get(event);
  if (command) return command(context, frame.value.data);
  if (event === reportedPageEvent) return reportPage(context, frame.value);
  if (event === reportedActivityEvent) return reportActivity(context, frame.value);
  if (isClientEvent(event)) return relayClientEvent(context, frame.value);
  refuse(context, `Unknown event ${event}`);
}
