import { href, statedBasePath } from "@/shared/address.ts";
import type { ClientSettings } from "@/shared/client_settings.ts";
import type { PusherConfig } from "./config.ts";

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
    userAuthEndpoint: href("/broadcasting/user-auth"),
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
export function foreignSocketOrigins(pusher: PusherConfig): string[] {
  const { host, cluster, port, scheme } = pusher;
  const address = host ?? (cluster && `ws-${cluster}.pusher.com`);
  if (!address) return [];
  const protocols = scheme === "https" ? ["wss"] : ["ws", "wss"];
  return protocols.map((protocol) => `${protocol}://${address}${port ? `:${port}` : ""}`);
}
