import { usesExternalServer } from "../config/client_options.ts";
import type { Config } from "../config/config.ts";
import type { AppConfig } from "@/realtime/app_config.ts";

/** The public address to check, with the settings that the check depends on. */
export interface Target {
  /** The public address; it may have a path. */
  pages: URL;
  /** Base addresses of the WebSockets and of the HTTP API. */
  sockets: URL;
  api: URL;
  /** Whether WebSockets and HTTP API belong to another server. */
  usesExternalServer: boolean;
  /** The app of Rollcall's own pages. */
  app: AppConfig;
  /** Whether `PUSHER_APP_ID` is set; another server cannot know a generated id. */
  isAppIdGiven: boolean;
  /** Signs the self-request. */
  secret: string;
  /** The port on which the server itself listens, and whether it speaks TLS there. */
  port: number;
  hasTls: boolean;
}

/** The target for an installation's settings. */
export function targetOf(config: Config, app: AppConfig, secret: string): Target {
  const { appUrl, pusher, port, tls } = config;
  return {
    pages: appUrl,
    sockets: usesExternalServer(pusher) ? hostedAddress(config, "ws") : withScheme(appUrl, "ws"),
    api: usesExternalServer(pusher) ? hostedAddress(config, "http") : appUrl,
    usesExternalServer: usesExternalServer(pusher),
    app,
    isAppIdGiven: pusher.appId !== undefined,
    secret,
    port,
    hasTls: tls !== undefined,
  };
}

/** The public address without a slash at its end. */
export function addressOf({ pages }: Target): string {
  return pages.href.replace(/\/$/, "");
}

/** Appends a path, with its query, to the path of an address. */
export function addressBelow(address: URL, path: string): URL {
  const url = new URL(address);
  const [pathname, search = ""] = path.split("?");
  url.pathname = address.pathname.replace(/\/$/, "") + pathname;
  url.search = search;
  return url;
}

/** The address of a hosted service, built as pusher-js (`ws`) and Pusher's libraries (`http`) do. */
function hostedAddress({ pusher }: Config, scheme: "ws" | "http"): URL {
  const { host, port, cluster } = pusher;
  const end = pusher.scheme === "https" ? "s" : "";
  const prefix = scheme === "ws" ? "ws" : "api";
  return host === undefined
    ? new URL(`${scheme}${end}://${prefix}-${cluster}.pusher.com`)
    : new URL(`${scheme}${end}://${host}${port === undefined ? "" : `:${port}`}`);
}

function withScheme(address: URL, scheme: "ws"): URL {
  return new URL(address.href.replace(/^http/, scheme));
}
