/** Where one server listens. */
export interface RedisServer {
  readonly host: string;
  readonly port: number;
}

/** Where Redis is, as `REDIS_URL` has it. */
export interface RedisAddress {
  /** One server, or the sentinels that know which server is the master. */
  readonly servers: readonly RedisServer[];
  readonly isTls: boolean;
  readonly user?: string;
  readonly password?: string;
  readonly database: number;
  /** The master's name among sentinels; absent: there are none. */
  readonly masterName?: string;
}

const defaultPort = 6379;
const defaultSentinelPort = 26_379;
const defaultMasterName = "mymaster";

/**
 * Reads an address: `redis://USER:PASSWORD@HOST:PORT/DATABASE`, with `rediss://` for TLS; or, for
 * Sentinel, several of them with commas between, of which each may add `?name=` with the master's name.
 * User, password and database belong to the data servers; one of several addresses suffices for them.
 *
 * @throws {Error} with one line that does not show the password.
 */
export function parseRedisAddress(text: string): RedisAddress {
  const urls = text.trim().split(/,\s*(?=[a-z]+:\/\/)/).map(parseUrl);
  const names = unique(urls, (url) => url.searchParams.get("name") ?? undefined, "master's name");
  const isSentinel = urls.length > 1 || names !== undefined;
  const port = isSentinel ? defaultSentinelPort : defaultPort;
  const user = unique(urls, ({ username }) => decoded(username), "user");
  const password = unique(urls, ({ password }) => decoded(password), "password");
  return {
    servers: urls.map((url) => ({
      host: url.hostname.replace(/^\[(.*)\]$/, "$1"),
      port: url.port ? Number(url.port) : port,
    })),
    isTls: unique(urls, ({ protocol }) => protocol, "protocol") === "rediss:",
    ...(user && { user }),
    ...(password && { password }),
    database: Number(unique(urls, database, "database") ?? 0),
    ...(isSentinel && { masterName: names ?? defaultMasterName }),
  };
}

/** An address as errors and pages show it. */
export function textOfServer({ host, port }: RedisServer): string {
  return host.includes(":") ? `[${host}]:${port}` : `${host}:${port}`;
}

const expected =
  "expected redis://HOST:PORT or rediss://HOST:PORT, with USER:PASSWORD@ before HOST" +
  " and /DATABASE after PORT where there are such";

function parseUrl(text: string): URL {
  const url = URL.parse(text);
  if (!url || !["redis:", "rediss:"].includes(url.protocol) || !url.hostname) {
    throw new Error(`not an address of Redis; ${expected}`);
  }
  if (decoded(url.username) === null || decoded(url.password) === null) {
    throw new Error("user or password with a % that encodes nothing; expected %25 for %");
  }
  if (!/^(\/\d{0,6})?$/.test(url.pathname)) {
    throw new Error("the path is not a number; expected the number of a database, such as /0");
  }
  return url;
}

function database({ pathname }: URL): string | undefined {
  return pathname.slice(1) || undefined;
}

/** @returns null where it is badly encoded, undefined where it is empty. */
function decoded(text: string): string | null | undefined {
  try {
    return decodeURIComponent(text) || undefined;
  } catch {
    return null;
  }
}

/** What the addresses that have it have in common. @throws {Error} when they differ. */
function unique(
  urls: URL[],
  read: (url: URL) => string | null | undefined,
  name: string,
): string | undefined {
  const [value, ...others] = new Set(urls.flatMap((url) => read(url) ?? []));
  if (others.length > 0) throw new Error(`addresses that differ in the ${name}; expected one`);
  return value;
}
