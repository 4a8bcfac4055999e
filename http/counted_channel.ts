import { HttpError } from "fresh";
import type { CountedChannel } from "@/server/live_view/counted_channel.ts";
import type { State } from "./state.ts";
import { type CountedName, onlineKey } from "@/shared/counted.ts";
import type { ClientSettings } from "@/shared/client_settings.ts";

/**
 * The counted channel with a key; that of the users online without one.
 *
 * @throws {HttpError} 404 when no such channel is counted.
 */
export function countedChannel(
  { counted }: Pick<State, "counted">,
  key: unknown,
): CountedChannel {
  const channel = counted.find((one) => one.key === (key ?? onlineKey));
  if (!channel) throw new HttpError(404, "This channel isn't counted.");
  return channel;
}

/** The counted channel that the query of an address names as `channel`. */
export function channelOfQuery(state: State, { searchParams }: URL): CountedChannel {
  return countedChannel(state, searchParams.get("channel"));
}

/** How pages write the counted channels, where there are several; undefined for one. */
export function countedNames({ apps, counted }: State): CountedName[] | undefined {
  if (counted.length === 1) return undefined;
  return counted.map(({ key, channel, appId, isOwn }) => ({
    ...{ key, channel },
    ...!isOwn && { app: apps.find(appId)?.name ?? appId },
  }));
}

/** What islands need to follow a counted channel; nothing for that of the users online. */
export function channelSettings(
  { key, pagesChannel }: CountedChannel,
): Pick<ClientSettings, "channelQuery" | "pagesChannel"> {
  if (key === onlineKey) return {};
  return {
    channelQuery: new URLSearchParams({ channel: key }).toString(),
    pagesChannel: pagesChannel.replace(/^private-/, ""),
  };
}

/** Whether channels of other apps than that of Rollcall's own pages are counted. */
export function hasOtherApps({ counted }: Pick<State, "counted">): boolean {
  return counted.some(({ isOwn }) => !isOwn);
}
