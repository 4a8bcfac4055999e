import { href, statedBasePath } from "@/shared/address.ts";
import type { ClientSettings } from "@/shared/client_settings.ts";
import type { PusherConfig } from "./config.ts";
import { z } from "zod";
import { mostCountedChannels } from "@/shared/limits.ts";
import { channelKind, channelNameRule, isChannelName } from "@/realtime/protocol/channel_names.ts";
import { appId } from "./schemas.ts";

/** Whether pages connect to an external Pusher server instead of this one. */
export function usesExternalServer(pusher: PusherConfig): boolean {
  return pusher.host !== undefined || pusher.cluster !== undefined;
}

/**
 * The options with which a page connects. Without `PUSHER_HOST` and cluster, a page connects to the
 * address it was loaded from, so that one origin and one port work without setup. pusher-js uses
 * `wssPort` on every https page, so both ports are right even behind a proxy that ends TLS.
 *
 * @param page the address at which the page was requested.
 * @param https whether visitors reach the pages over https.
 */
export function clientSettings(
  pusher: PusherConfig,
  key: string,
  page: URL,
  https: boolean,
): ClientSettings {
  return {
    key,
    cluster: pusher.cluster ?? "self",
    ...address(pusher, page, https),
    enabledTransports: ["ws", "wss"],
    disableStats: true,
    namespace: "App.Events",
    authEndpoint: href("/broadcasting/auth"),
  };
}

type Address = Pick<ClientSettings, "wsHost" | "wsPort" | "wssPort" | "wsPath" | "forceTLS">;

function address(pusher: PusherConfig, page: URL, https: boolean): Address {
  const secure = pusher.scheme === "https";
  if (pusher.host) {
    return {
      wsHost: pusher.host,
      wsPort: pusher.port ?? 80,
      wssPort: pusher.port ?? 443,
      forceTLS: secure,
    };
  }
  if (pusher.cluster) return { forceTLS: secure };
  const wsPath = statedBasePath();
  const port = page.port === "" ? undefined : Number(page.port);
  return {
    wsHost: page.hostname,
    wsPort: port ?? 80,
    wssPort: port ?? 443,
    ...(wsPath === undefined ? {} : { wsPath }),
    forceTLS: https || page.protocol === "https:",
  };
}

/** The WebSocket origins of an external Pusher server, for the Content-Security-Policy of pages. */
export function externalSocketOrigins(pusher: PusherConfig): string[] {
  const { host, cluster, port, scheme } = pusher;
  const address = host ?? (cluster && `ws-${cluster}.pusher.com`);
  if (!address) return [];
  const protocols = scheme === "https" ? ["wss"] : ["ws", "wss"];
  return protocols.map((protocol) => `${protocol}://${address}${port ? `:${port}` : ""}`);
}

/** A presence channel that a setting names. */
export interface NamedChannel {
  /** The app of the channel; absent for the app of Rollcall's own pages. */
  appId?: string;
  channel: string;
}

/**
 * A list of presence channels, separated by spaces: channels of apps other than the pages' as
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
