import {
  channelKind,
  isEncryptedChannel,
  isUserChannelName,
} from "@/realtime/protocol/channel_names.ts";
import type { ListedKind } from "@/shared/channel_list.ts";

/** The kind of a channel, as admins see it. */
export function listedKind(name: string): ListedKind {
  if (isUserChannelName(name)) return "user";
  return isEncryptedChannel(name) ? "encrypted" : channelKind(name);
}
