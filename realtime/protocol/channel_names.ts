import { maxUserIdLength } from "./member.ts";

/** The longest name of a channel (Pusher: 164 characters). */
export const maxChannelNameLength = 164;

const channelNamePattern = new RegExp(`^[A-Za-z0-9_\\-=@,.;]{1,${maxChannelNameLength}}$`);

/** What {@link isChannelName} accepts, for error messages. */
export const channelNameRule =
  `a channel name has 1 to ${maxChannelNameLength} of the characters A-Za-z0-9_-=@,.;`;

/** Whether a text may name a channel. A user's own channel (`#server-to-user-ID`) is not included. */
export function isChannelName(text: string): boolean {
  return channelNamePattern.test(text);
}

/**
 * What a subscription needs: nothing (`public`), a signature (`private`), or a signature and a member
 * (`presence`).
 */
export type ChannelKind = "public" | "private" | "presence";

/** The kind of a channel by the prefix of its name; encrypted and cache channels have one of these too. */
export function channelKind(name: string): ChannelKind {
  if (name.startsWith("presence-")) return "presence";
  return name.startsWith("private-") ? "private" : "public";
}

/** Whether anyone may subscribe to a channel. A user's own channel needs a sign-in. */
export function isOpenToAll(name: string): boolean {
  return channelKind(name) === "public" && !name.startsWith("#");
}

/** Whether the events of a channel are encrypted end to end: the server relays what it cannot read. */
export function isEncryptedChannel(name: string): boolean {
  return name.startsWith("private-encrypted-");
}

/** Whether a channel keeps its last event for new subscribers. */
export function isCacheChannel(name: string): boolean {
  return /^(private-encrypted-|private-|presence-)?cache-/.test(name);
}

/** The channel for events to one user; only connections that signed in as the user may subscribe. */
export function serverToUserChannel(userId: string): string {
  return `#server-to-user-${userId}`;
}

/** The channel whose members are the users who are signed in. No client can name it. */
export const signedInChannel = "#signed-in";

/** Whether a channel's joins and leaves are reported to the app's server. */
export function isReported(name: string): boolean {
  return name !== signedInChannel;
}

/** Whether a text names the channel for events to one user. */
export function isUserChannelName(text: string): boolean {
  const prefix = serverToUserChannel("");
  const idLength = text.length - prefix.length;
  return text.startsWith(prefix) && idLength > 0 && idLength <= maxUserIdLength;
}
