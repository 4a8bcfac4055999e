import { parseEnv } from "node:util";
import { z } from "zod";
import type { LogSettings } from "./observability/logging.ts";

/** Every setting of an installation, validated and typed. Absent means: not given. */
export interface Config {
  /** The public address, as people type it. Its scheme decides whether cookies are `Secure`. */
  appUrl: URL;
  /** The interface to listen on. */
  host: string;
  port: number;
  /** What cookies and anti-forgery tokens are signed with, when not the generated one. */
  appKey?: string;
  pusher: PusherConfig;
  dataFolder: string;
  databaseUrl?: string;
  presence: { graceMs: number; maxMembers: number };
  /** Whether people without an account are counted too. */
  admitGuests: boolean;
  /** Origins that may open sockets; absent: any. */
  allowedOrigins?: string[];
  /** After this many milliseconds a socket that joined nothing is closed; 0: never. */
  joinTimeoutMs: number;
  /** How long a stop may take to spread the closing of sockets over, in milliseconds. */
  drainMs: number;
  tls?: { cert: string; key: string };
  log: LogSettings;
  /** Who knows it may read the metrics; absent: nobody may. */
  metricsToken?: string;
}

/** The Pusher application that pages connect to, and this server plays when no other is named. */
export interface PusherConfig {
  appId?: string;
  key?: string;
  secret?: string;
  /** A hosted cluster such as `eu`; pages connect there unless `host` is set. */
  cluster?: string;
  /** Another server that speaks the protocol; pages connect there. */
  host?: string;
  port?: number;
  scheme: "http" | "https";
}

/** The settings are wrong. `problems` has one line for each bad value, fit for the console. */
export class ConfigError extends Error {
  override name = "ConfigError";
  constructor(readonly problems: string[]) {
    super(problems.join("\n"));
  }
}

/** Settings whose value is never printed. */
const secretNames = new Set(["APP_KEY", "PUSHER_APP_SECRET", "DATABASE_URL", "METRICS_TOKEN"]);

/** Secrets long enough that stand in public examples: everybody knows them. */
const wellKnown = ["your-pusher-secret", "your-pusher-app-secret"];

const integer = (low: number, high: number) => {
  const allowed = `a whole number from ${low} to ${high}`;
  return z.string().regex(/^\d{1,15}$/, allowed).transform(Number)
    .refine((value) => value >= low && value <= high, allowed);
};

const webAddress = z.string().refine((value) => {
  const url = URL.parse(value);
  return url !== null && /^https?:$/.test(url.protocol) && url.pathname === "/" &&
    url.search === "" && url.hash === "" && url.username === "";
}, "an http:// or https:// address without a path").transform((value) => new URL(value));

const flag = z.string().toLowerCase().refine(
  (value) => ["true", "false", "1", "0", "yes", "no", "on", "off"].includes(value),
  "true or false",
).transform((value) => ["true", "1", "yes", "on"].includes(value));

const origins = z.string().transform((value) => value.split(",").map((entry) => entry.trim()))
  .refine(
    (list) => list.every((entry) => entry === "*" || URL.parse(entry)?.origin === entry),
    "* or origins such as https://example.com, parted by commas, without a path",
  ).transform((list) => list.includes("*") ? undefined : list);

const hostName = z.string().regex(
  /^(\[[0-9a-fA-F:.]+\]|[A-Za-z0-9]([A-Za-z0-9.-]*[A-Za-z0-9])?)$/,
  "a host name or address, without scheme, port or path",
);

const schema = z.object({
  APP_URL: webAddress.optional(),
  APP_KEY: z.string().min(32, "at least 32 characters").optional(),
  HOST: z.string().regex(/^[0-9A-Za-z.:-]+$/, "an address to listen on").default("0.0.0.0"),
  PORT: integer(0, 65535).default(8000),
  PUSHER_APP_ID: z.string().regex(/^[\w-]{1,64}$/, "1 to 64 letters, digits, _ or -").optional(),
  PUSHER_APP_KEY: z.string().regex(/^[\w-]{8,64}$/, "8 to 64 letters, digits, _ or -").optional(),
  PUSHER_APP_SECRET: z.string().min(16, "at least 16 characters")
    .refine(
      (value) => !wellKnown.includes(value.toLowerCase()),
      "a secret of your own: this one stands in public examples",
    ).optional(),
  PUSHER_APP_CLUSTER: z.string().regex(/^[a-z0-9-]{1,32}$/, "a cluster name such as eu").optional(),
  PUSHER_HOST: hostName.optional(),
  PUSHER_PORT: integer(1, 65535).optional(),
  PUSHER_SCHEME: z.enum(["http", "https"], "http or https").default("https"),
  DATA_DIR: z.string().default("data"),
  DATABASE_URL: z.string().refine(
    (value) => /^postgres(ql)?:$/.test(URL.parse(value)?.protocol ?? ""),
    "a postgres:// address",
  ).optional(),
  PRESENCE_GRACE_MS: integer(0, 600_000).default(1_500),
  PRESENCE_MAX_MEMBERS: integer(1, 1_000_000).default(10_000),
  ADMIT_GUESTS: flag.default(false),
  ALLOWED_ORIGINS: origins.optional(),
  JOIN_TIMEOUT_MS: integer(0, 3_600_000).default(0),
  DRAIN_MS: integer(0, 600_000).default(3_000),
  TLS_CERT_FILE: z.string().optional(),
  TLS_KEY_FILE: z.string().optional(),
  LOG_FORMAT: z.enum(["text", "json"], "text or json").default("text"),
  LOG_LEVEL: z.enum(["debug", "info", "warn", "error"], "debug, info, warn or error")
    .default("info"),
  METRICS_TOKEN: z.string().regex(/^[\w.~+/=-]{16,}$/, "at least 16 letters, digits or ._~+/=-")
    .optional(),
});

const settingNames = Object.keys(schema.shape);

/**
 * Reads the settings from environment variables. An empty value counts as not given, because
 * Laravel's `.env` lists names without values.
 *
 * @param readFile reads the TLS files; throws when it cannot.
 * @throws {ConfigError} with one line for every bad value.
 */
export function parseConfig(
  environment: Record<string, string | undefined>,
  readFile: (path: string) => string = Deno.readTextFileSync,
): Config {
  const given = Object.fromEntries(
    settingNames.map((name) => [name, environment[name]?.trim() || undefined]),
  );
  const parsed = schema.safeParse(given);
  if (!parsed.success) throw new ConfigError(lines(parsed.error, given));
  const problems = foreignServerProblems(parsed.data);
  const tls = readTls(parsed.data, readFile, problems);
  if (problems.length > 0) throw new ConfigError(problems);
  return toConfig(parsed.data, tls);
}

type Given = Record<string, string | undefined>;

/** One line for each variable, though a value may have several faults. */
function lines(error: z.ZodError, given: Given): string[] {
  const faults = new Map(error.issues.toReversed().map((fault) => [String(fault.path[0]), fault]));
  return [...faults].reverse().map(([name, { message }]) => {
    const value = secretNames.has(name) ? "(secret, not shown)" : JSON.stringify(given[name]);
    return `${name}: ${value} is not allowed; expected ${message}`;
  });
}

/** A server that is not this one knows nothing of a generated key and secret. */
function foreignServerProblems(settings: Settings): string[] {
  if (!settings.PUSHER_HOST) return [];
  return (["PUSHER_APP_KEY", "PUSHER_APP_SECRET"] as const).filter((name) => !settings[name])
    .map((name) => `${name}: not given, but PUSHER_HOST is; expected that server's`);
}

type Settings = z.infer<typeof schema>;

function readTls(
  settings: Settings,
  readFile: (path: string) => string,
  problems: string[],
): Config["tls"] {
  const { TLS_CERT_FILE: certFile, TLS_KEY_FILE: keyFile } = settings;
  if (!certFile && !keyFile) return undefined;
  const read = (name: string, path: string | undefined, label: string): string => {
    if (!path) {
      problems.push(`${name}: not given, but the other TLS file is; expected both or neither`);
      return "";
    }
    try {
      const text = readFile(path);
      if (text.includes(`-----BEGIN`) && text.includes(label)) return text;
      problems.push(`${name}: ${JSON.stringify(path)} is not allowed; expected a PEM ${label}`);
    } catch {
      problems.push(`${name}: ${JSON.stringify(path)} is not allowed; expected a readable file`);
    }
    return "";
  };
  return {
    cert: read("TLS_CERT_FILE", certFile, "CERTIFICATE"),
    key: read("TLS_KEY_FILE", keyFile, "PRIVATE KEY"),
  };
}

function toConfig(settings: Settings, tls: Config["tls"]): Config {
  return {
    appUrl: settings.APP_URL ?? new URL(`${tls ? "https" : "http"}://localhost:${settings.PORT}`),
    host: settings.HOST,
    port: settings.PORT,
    appKey: settings.APP_KEY,
    pusher: {
      appId: settings.PUSHER_APP_ID,
      key: settings.PUSHER_APP_KEY,
      secret: settings.PUSHER_APP_SECRET,
      // Laravel's default .env names a cluster and no key: that is nowhere to connect to.
      cluster: settings.PUSHER_APP_KEY && settings.PUSHER_APP_SECRET
        ? settings.PUSHER_APP_CLUSTER
        : undefined,
      host: settings.PUSHER_HOST,
      port: settings.PUSHER_PORT,
      scheme: settings.PUSHER_SCHEME,
    },
    dataFolder: settings.DATA_DIR,
    databaseUrl: settings.DATABASE_URL,
    presence: {
      graceMs: settings.PRESENCE_GRACE_MS,
      maxMembers: settings.PRESENCE_MAX_MEMBERS,
    },
    admitGuests: settings.ADMIT_GUESTS,
    allowedOrigins: settings.ALLOWED_ORIGINS,
    joinTimeoutMs: settings.JOIN_TIMEOUT_MS,
    drainMs: settings.DRAIN_MS,
    tls,
    log: { format: settings.LOG_FORMAT, level: settings.LOG_LEVEL },
    metricsToken: settings.METRICS_TOKEN,
  };
}

/**
 * The settings of this process: its environment, and beneath it a file `.env` in the working folder.
 *
 * @throws {ConfigError} with one line for every bad value.
 */
export function readConfig(): Config {
  return parseConfig({ ...readEnvFile(".env"), ...Deno.env.toObject() });
}

function readEnvFile(path: string): Record<string, string | undefined> {
  try {
    return parseEnv(Deno.readTextFileSync(path));
  } catch (error) {
    if (error instanceof Deno.errors.NotFound) return {};
    throw error;
  }
}
