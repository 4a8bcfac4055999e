import type { AppConfig } from "../app_config.ts";
import { isChannelName } from "../protocol/channel_names.ts";

/** The most patterns that an app may have. */
export const maxQuietChannels = 100;

/** Whether a text is a pattern of `quietChannels`, and can match a presence channel. */
export function isQuietPattern(text: string): boolean {
  const [start, end] = text.split("*");
  const isPresence = start.startsWith(prefix) || (end !== undefined && prefix.startsWith(start));
  return isPresence && isChannelName(text.replace("*", "x"));
}

const prefix = "presence-";

/** Whether an app's rule makes the members of a channel quiet. */
export function isQuietChannel(
  { quietChannels = [] }: Pick<AppConfig, "quietChannels">,
  channel: string,
): boolean {
  return quietChannels.some((pattern) => isMatch(pattern, channel));
}

/** @param pattern a text in which `*`, at most once, stands for any characters. */
function isMatch(pattern: string, text: string): boolean {
  const [start, end] = pattern.split("*");
  if (end === undefined) return text === pattern;
  return text.length >= start.length + end.length && text.startsWith(start) && text.endsWith(end);
}
