import type { Target } from "../target.ts";

/** One of the addresses that are reached for: that of the pages, or that of foreign sockets. */
export interface Reach {
  names: { name: string; tcp: string; tls: string };
  title: (what: string) => string;
  /** The setting that has the address. */
  setting: string;
  /** How it is said that there is no TLS. */
  plainSetting: string;
  urlOf: (target: Target) => URL;
}

/** The public address. */
export const publicReach: Reach = {
  names: { name: "name", tcp: "tcp", tls: "tls" },
  title: (what) => what,
  setting: "APP_URL",
  plainSetting: "an APP_URL that begins with http://",
  urlOf: ({ pages }) => pages,
};

/** The server that the pages connect to, when it is another one. */
export const hostedReach: Reach = {
  names: { name: "socket_name", tcp: "socket_tcp", tls: "socket_tls" },
  title: (what) => `${what} of the socket server`,
  setting: "PUSHER_HOST or PUSHER_APP_CLUSTER",
  plainSetting: "PUSHER_SCHEME=http",
  urlOf: ({ sockets }) => sockets,
};
