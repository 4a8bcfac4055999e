import { isHosted } from "../config/client_settings.ts";
import type { Config } from "../config/config.ts";
import type { AppConfig } from "../realtime/app_config.ts";

/** What is tested, and what is known of it. */
export interface Target {
  /** The public address; it may have a path. */
  pages: URL;
  /** Where sockets are opened, and where the HTTP API is. */
  sockets: URL;
  api: URL;
  /** Whether sockets and API are another server's. */
  isHosted: boolean;
  /** The app of the pages, by which clients connect and are signed for. */
  app: AppConfig;
  /** Whether the id of the app is one that the other server can know. */
  isAppIdGiven: boolean;
  /** Signs the question whether the server is this installation. */
  secret: string;
  /** Where the server itself listens, and whether it speaks TLS there. */
  port: number;
  hasTls: boolean;
}

/** What there is to test of an installation. */
export function targetOf(config: Config, app: AppConfig, secret: string): Target {
  const { appUrl, pusher, port, tls } = config;
  return {
    pages: appUrl,
    sockets: isHosted(pusher) ? hostedAddress(config, "ws") : withScheme(appUrl, "ws"),
    api: isHosted(pusher) ? hostedAddress(config, "http") : appUrl,
    isHosted: isHosted(pusher),
    app,
    isAppIdGiven: pusher.appId !== undefined,
    secret,
    port,
    hasTls: tls !== undefined,
  };
}

/** The public address as people write it. */
export function addressOf({ pages }: Pick<Target, "pages">): string {
  return pages.href.replace(/\/$/, "");
}

/** An address below another one, whose own path stays before it. */
export function below(address: URL, path: string): URL {
  const url = new URL(address);
  const [pathname, search = ""] = path.split("?");
  url.pathname = address.pathname.replace(/\/$/, "") + pathname;
  url.search = search;
  return url;
}

/** Of a hosted service: as pusher-js finds it for sockets, and Pusher's libraries for the API. */
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
