import type { Target } from "../target.ts";

/** An address that the check connects to: that of the pages, or that of another server's WebSockets. */
export interface Endpoint {
  /** The names of the steps to it. */
  names: { dns: string; tcp: string; tls: string };
  /** Completes the title of a step to it. */
  titleOf: (title: string) => string;
  /** The setting that contains the address. */
  setting: string;
  /** What to set for a connection without TLS. */
  plainSetting: string;
  urlOf: (target: Target) => URL;
}

/** The public address. */
export const publicEndpoint: Endpoint = {
  names: { dns: "dns", tcp: "tcp", tls: "tls" },
  titleOf: (title) => title,
  setting: "APP_URL",
  plainSetting: "an APP_URL that begins with http://",
  urlOf: ({ pages }) => pages,
};

/** The WebSockets of an external Pusher server. */
export const socketEndpoint: Endpoint = {
  names: { dns: "socket_dns", tcp: "socket_tcp", tls: "socket_tls" },
  titleOf: (title) => `${title} of the WebSocket server`,
  setting: "PUSHER_HOST or PUSHER_APP_CLUSTER",
  plainSetting: "PUSHER_SCHEME=http",
  urlOf: ({ sockets }) => sockets,
};
