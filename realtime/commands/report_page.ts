import { channelKind } from "../protocol/channel_names.ts";
import { type ClientFrame, readValue } from "../protocol/incoming.ts";
import { errorFrame } from "../protocol/outgoing.ts";
import { reportedPage } from "../protocol/reported_page.ts";
import type { CommandContext } from "./context.ts";

/**
 * Keeps the page that a client reports on a presence channel, or answers why not; it is sent to no
 * one. As with client events, a refusal never counts towards the limit of errors.
 */
export function reportPage(
  { app, connection }: CommandContext,
  { channel, data }: ClientFrame,
): void {
  const refuse = (message: string) => connection.send(errorFrame(message));
  const isMember = typeof channel === "string" && channelKind(channel) === "presence" &&
    connection.subscriptions.get(channel)?.userId !== undefined;
  if (!isMember) return refuse("A page needs a presence channel that its sender is a member of");
  const read = readValue(data, reportedPage, "page");
  if (!read.ok) return refuse(read.fault);
  app.pages.report(connection, channel, read.value);
}
