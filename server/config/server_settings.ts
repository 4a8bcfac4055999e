import { z } from "zod";
import { flag, integer, listenAddress, networks, timeZone, webAddress } from "./schemas.ts";
import type { Setting } from "./setting.ts";

/** Where the server listens, keeps its data and logs, and how it starts and stops. */
export const serverSettings = {
  APP_URL: {
    group: "Address",
    schema: webAddress.optional(),
    otherwise: "`http://localhost:PORT`, or `https` with `TLS_CERT_FILE`",
    example: "https://rollcall.example.com",
    about: "The public URL. With `https`, cookies are `Secure`. With a path, such as " +
      "`https://example.com/rollcall`, everything is below that path: pages, sockets, the HTTP " +
      "API and `/up`; see [Below a path](proxy-variants.md#below-a-path).",
  },
  HOST: {
    group: "Address",
    schema: listenAddress.default("0.0.0.0"),
    about: "The network interface to listen on. Behind a proxy on the same machine, `127.0.0.1` " +
      "makes the proxy the only way in.",
  },
  PORT: {
    group: "Address",
    schema: integer(0, 65535).default(8000),
    about: "The port for pages, sockets and the HTTP API. 0 takes any free port and prints it.",
  },
  DATA_DIR: {
    group: "Data",
    schema: z.string().default("data"),
    about: "The folder of the embedded database and of the generated secrets, readable by its " +
      "owner only. It has to be on a local disk. Unused with `DATABASE_URL`.",
  },
  DATABASE_URL: {
    group: "Data",
    schema: z.string().refine(
      (value) => /^postgres(ql)?:$/.test(URL.parse(value)?.protocol ?? ""),
      "a postgres:// address",
    ).optional(),
    secret: true,
    example: "postgres://rollcall:password@localhost/rollcall",
    about: "A PostgreSQL database to use instead of the embedded one. " +
      "See [Move your data](postgresql.md#move-your-data).",
  },
  APP_KEY: {
    group: "Data",
    schema: z.string().min(32, "at least 32 characters").optional(),
    secret: true,
    otherwise: "generated at the first start",
    about: "Signs cookies and CSRF tokens. The generated key is kept with the data. Another key " +
      "signs everyone out, ends all [embeds](embed.md) and [site tags](site-tag.md), and makes one-time " +
      "and recovery codes of [second factors](second-factors.md) useless.",
  },
  ACTIVITY_DAYS: {
    group: "Data",
    formerly: "ATTENDANCE_DAYS",
    schema: integer(0, 3_650).default(30),
    unit: "days",
    about:
      "How long joins and leaves are kept for the Activity page, the newest 10,000,000 at most. " +
      "0 keeps all of them forever.",
  },
  TIME_ZONE: {
    group: "Data",
    schema: timeZone.default("UTC"),
    example: "Europe/Berlin",
    about:
      "The time zone in which days begin and end: in the numbers over time, for the peak of the day on " +
      "wallboards, and for alerts about a record. A change applies to days that begin " +
      "afterwards.",
  },
  AUDIT_DAYS: {
    group: "Data",
    schema: integer(0, 3_650).default(0),
    unit: "days",
    about: "How long entries of the admin log are kept. 0 keeps all of them forever.",
  },
  TLS_CERT_FILE: {
    group: "HTTPS and proxies",
    schema: z.string().optional(),
    example: "/etc/rollcall/cert.pem",
    about: "A certificate chain in PEM form. With `TLS_KEY_FILE`, the server itself speaks " +
      "`https` and `wss`.",
  },
  TLS_KEY_FILE: {
    group: "HTTPS and proxies",
    schema: z.string().optional(),
    example: "/etc/rollcall/key.pem",
    about: "The certificate's private key in PEM form.",
  },
  TRUSTED_PROXIES: {
    group: "HTTPS and proxies",
    schema: networks.default([]),
    example: "127.0.0.1",
    about: "Addresses and networks, separated by commas, of the proxies whose `X-Forwarded-For` " +
      "is trusted: [Behind a proxy](proxies.md#client-addresses).",
  },
  LOG_FORMAT: {
    group: "Logs and metrics",
    schema: z.enum(["text", "json"], "text or json").default("text"),
    about: "`text` for people, or `json`: one object per line.",
  },
  LOG_LEVEL: {
    group: "Logs and metrics",
    schema: z.enum(["debug", "info", "warn", "error"], "debug, info, warn or error")
      .default("info"),
    about: "The least severe level that is logged.",
  },
  METRICS_TOKEN: {
    group: "Logs and metrics",
    schema: z.string().regex(/^[\w.~+/=-]{16,}$/, "at least 16 letters, digits or ._~+/=-")
      .optional(),
    secret: true,
    about: "The bearer token that opens `/metrics`. Without it, `/metrics` answers 404.",
  },
  DRAIN_MS: {
    group: "Start and stop",
    schema: integer(0, 600_000).default(3_000),
    unit: "milliseconds",
    about:
      "How long a stopping server takes to close its connections, so that clients do not all " +
      "reconnect in the same second.",
  },
  SINGLE_INSTANCE: {
    group: "Start and stop",
    schema: flag.default(false),
    about: "Deno Deploy only: confirms that you run a single instance. Required there without " +
      "`REDIS_URL`.",
  },
} satisfies Record<string, Setting>;
