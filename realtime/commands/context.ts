import type { App } from "../app.ts";
import type { Connection } from "../connections/connection.ts";
import type { LimitCounters, LimitName } from "../connections/limit_counters.ts";
import type { Rejection } from "../events/rejections.ts";
import type { Limits } from "../options.ts";
import { closes } from "../protocol/close_codes.ts";
import { subscriptionError } from "../protocol/outgoing.ts";

/** One frame's connection, and what the commands need to carry the frame out. */
export interface CommandContext {
  readonly app: App;
  readonly connection: Connection;
  readonly limits: Limits;
  /** When the frame came, by the server's clock. */
  readonly now: number;
  readonly limitCounters: LimitCounters;
}

/** Carries out a frame. What is wrong with `data` is answered to the client and never thrown. */
export type Command = (context: CommandContext, data: unknown) => void;

/** Answers a faulty frame with `pusher:error`; too many of them close the connection. */
export function refuse({ connection, now }: CommandContext, message: string): void {
  connection.refuse(message, now);
}

/** A rejection that the app's developer can mend. */
export type CommandRejection = Omit<Rejection, "from">;

/** Answers a frame as {@link refuse} does, and reports its rejection. */
export function reject(context: CommandContext, rejection: CommandRejection): void {
  const { reason, message, signedText, signature } = rejection;
  context.app.reject({ reason, from: "client", message, signedText, signature });
  refuse(context, message);
}

/** Refuses a subscription as {@link refuseSubscription} does, and reports its rejection. */
export function rejectSubscription(
  context: CommandContext,
  channel: string,
  rejection: CommandRejection,
): void {
  const { reason, message, signedText, signature } = rejection;
  context.app.reject({ reason, from: "client", message, signedText, signature });
  refuseSubscription(context, channel, message);
}

/**
 * Closes the connection of a blocked user with 4009, after which no client connects again by itself. A page
 * gets the reason with `pusher:error`, and where it subscribes, with `pusher:subscription_error` too.
 *
 * @param channel of a subscription; without one, it is a sign-in.
 * @returns whether the user is blocked.
 */
export function closeBlocked(
  { app, connection }: CommandContext,
  userId: string,
  channel?: string,
): boolean {
  const error = app.blockReason(userId);
  if (error === undefined) return false;
  const refused = channel === undefined
    ? undefined
    : subscriptionError(channel, { type: "Blocked", error, status: 403 });
  // A page subscribes to all its channels at once: what comes after the close would hide its code.
  connection.failOnceQuiet(closes.blocked(error), refused);
  return true;
}

/**
 * Answers a refused subscription with `pusher:error` and `pusher:subscription_error`.
 *
 * @param limit the limit that it exceeded; without one, it was not authorized.
 */
export function refuseSubscription(
  { connection, now, limitCounters }: CommandContext,
  channel: string,
  error: string,
  limit?: LimitName,
): void {
  if (limit) limitCounters.count(limit, connection);
  const data = limit
    ? { type: "LimitReached", error, status: 4004 }
    : { type: "AuthError", error, status: 401 };
  connection.refuse(error, now, subscriptionError(channel, data));
}
