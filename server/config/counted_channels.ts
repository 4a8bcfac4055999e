import { z } from "zod";
import { mostCountedChannels } from "@/shared/limits.ts";
import { channelKind, channelNameRule, isChannelName } from "@/realtime/protocol/channel_names.ts";
import { appId } from "./kinds.ts";

/** A presence channel that a setting names. */
export interface NamedChannel {
  /** The app of the channel; absent for that of Rollcall's own pages. */
  appId?: string;
  channel: string;
}

/**
 * A list of presence channels, separated by spaces: those of other apps than that of the pages as
 * `APP_ID/CHANNEL`. Neither part can contain a slash. Each channel is in the list once.
 */
export const countedChannels = z.string().transform((text, context) => {
  const entries = [...new Set(text.split(/\s+/).filter((entry) => entry !== ""))];
  const fault = entries.map(faultOf).find((fault) => fault !== null);
  if (fault) context.addIssue(fault);
  if (!fault && entries.length > mostCountedChannels) {
    context.addIssue(`at most ${mostCountedChannels} channels`);
  }
  return entries.map(namedChannel);
});

function namedChannel(entry: string): NamedChannel {
  const [channel, appId] = entry.split("/").toReversed();
  return appId === undefined ? { channel } : { appId, channel };
}

/** What is wrong with an entry, as the end of the sentence "expected …"; null when nothing is. */
function faultOf(entry: string): string | null {
  const expected = "presence channels such as presence-orders or APP_ID/presence-orders, " +
    "separated by spaces";
  const because = (reason: string) => `${expected}; ${JSON.stringify(entry)} is none: ${reason}`;
  const { appId: app, channel } = namedChannel(entry);
  if (entry.split("/").length > 2) return because("it has more than one slash");
  if (app !== undefined && !appId.safeParse(app).success) {
    return because("it begins with no app ID");
  }
  if (!isChannelName(channel)) return because(channelNameRule);
  if (channelKind(channel) !== "presence") return because("its name must begin with presence-");
  return null;
}
