import { strict as assert } from "node:assert";
import { describe, it } from "@std/testing/bdd";
import fc from "fast-check";
import {
  type Config,
  ConfigError,
  lacksTrustedProxy,
  parseConfig,
  servesHttps,
} from "@/server/config/config.ts";

function problems(environment: Record<string, string>): string[] {
  try {
    parseConfig(environment, () => "");
  } catch (error) {
    if (error instanceof ConfigError) return error.problems;
    throw error;
  }
  return [];
}

describe("the settings", () => {
  it("have defaults for everything", () => {
    const config = parseConfig({});
    assert.equal(config.appUrl.href, "http://localhost:8000/");
    assert.equal(config.presenceGraceMs, 1500);
    assert.equal(config.admitGuests, false);
    assert.deepEqual(Object.values(config.appRules).filter((rule) => rule !== undefined), []);
    assert.equal(config.appList, undefined);
  });

  it("tell that a proxy is certain and none is trusted", () => {
    const behind = { APP_URL: "https://rollcall.example.com", HOST: "127.0.0.1" };
    assert.equal(lacksTrustedProxy(parseConfig(behind)), true);
    for (
      const change of [
        { HOST: "0.0.0.0" },
        { APP_URL: "http://localhost:8000" },
        { TRUSTED_PROXIES: "127.0.0.1" },
      ]
    ) {
      assert.equal(lacksTrustedProxy(parseConfig({ ...behind, ...change })), false);
    }
  });

  it("are the rules of every app", () => {
    const { appRules } = parseConfig({
      PRESENCE_MAX_MEMBERS: "7",
      PRESENCE_MAX_FULL_MEMBERS: "3",
      QUIET_CHANNELS: "presence-site, presence-event.*",
      ALLOWED_ORIGINS: "https://a.example",
      JOIN_TIMEOUT_MS: "9000",
      CLIENT_EVENTS: "true",
      CLIENT_EVENTS_PER_SECOND: "5",
      API_REQUESTS_PER_SECOND: "100",
      SUBSCRIPTION_COUNT: "true",
      WATCHLIST: "true",
    });
    assert.deepEqual(appRules, {
      presenceMaxMembers: 7,
      presenceMaxFullMembers: 3,
      quietChannels: ["presence-site", "presence-event.*"],
      allowedOrigins: ["https://a.example"],
      joinTimeoutMs: 9_000,
      clientEvents: true,
      clientEventsPerSecond: 5,
      maxApiRequestsPerSecond: 100,
      subscriptionCount: true,
      watchlist: true,
    });
  });

  for (
    const [values, expected] of [["true 1 yes on TRUE", true], ["false 0 no off", false]] as const
  ) {
    it(`switch something ${expected ? "on" : "off"} with any of ${values}`, () => {
      for (const CLIENT_EVENTS of values.split(" ")) {
        assert.equal(parseConfig({ CLIENT_EVENTS }).appRules.clientEvents, expected, CLIENT_EVENTS);
      }
    });
  }

  it("refuse quiet channels that are no presence channels, and more than 100", () => {
    const many = Array.from({ length: 101 }, (_, index) => `presence-${index}`);
    for (
      const QUIET_CHANNELS of ["room", "private-*", "presence-*-*", "presence-ü", ",", many.join()]
    ) {
      assert.equal(problems({ QUIET_CHANNELS }).length, 1, QUIET_CHANNELS);
    }
    for (const QUIET_CHANNELS of ["*", "presence-*", "pres*", "*.lobby", many.slice(1).join()]) {
      assert.deepEqual(problems({ QUIET_CHANNELS }), [], QUIET_CHANNELS);
    }
  });

  it("accept addresses of webhooks of at most 2048 characters", () => {
    const WEBHOOK_URL = "https://a.example/".padEnd(2_048, "x");
    assert.deepEqual(parseConfig({ WEBHOOK_URL }).webhooks, [{ url: WEBHOOK_URL }]);
    assert.equal(problems({ WEBHOOK_URL: `${WEBHOOK_URL}x` }).length, 1);
    const WEBHOOK_EVENT_TYPES = "member_added, member_updated";
    const events = ["member_added", "member_updated"];
    const { webhooks } = parseConfig({ WEBHOOK_URL, WEBHOOK_EVENT_TYPES });
    assert.deepEqual(webhooks, [{ url: WEBHOOK_URL, events }]);
    assert.equal(parseConfig({ WEBHOOK_EVENT_TYPES }).webhooks, undefined);
    const WEBHOOK_INCLUDE = "names, details";
    assert.deepEqual(parseConfig({ WEBHOOK_URL, WEBHOOK_INCLUDE }).webhooks, [
      { url: WEBHOOK_URL, include: ["names", "details"] },
    ]);
    assert.match(
      problems({ WEBHOOK_EVENT_TYPES: "member_moved" })[0],
      /expected channel_occupied, /,
    );
  });

  it("ignore names without values, as in a Laravel .env", () => {
    const config = parseConfig({
      APP_NAME: "Laravel",
      APP_URL: "http://localhost",
      PUSHER_APP_ID: "",
      PUSHER_APP_KEY: "",
      PUSHER_APP_SECRET: "",
      PUSHER_HOST: "",
      PUSHER_PORT: "443",
      PUSHER_SCHEME: "https",
      PUSHER_APP_CLUSTER: "mt1",
    });
    assert.equal(config.pusher.cluster, undefined);
    assert.equal(config.pusher.host, undefined);
    assert.equal(config.pusher.key, undefined);
    assert.equal(config.pusher.port, 443);
  });

  /** Settings, and the line that is printed for them. */
  const refusals: [Record<string, string>, string][] = [
    [{ PORT: "http" }, 'PORT: "http" is not allowed; expected a whole number from 0 to 65535'],
    [{ PORT: "70000" }, 'PORT: "70000" is not allowed; expected a whole number from 0 to 65535'],
    [
      { APP_URL: "example.com" },
      'APP_URL: "example.com" is not allowed; expected an http:// or https:// address, with at most ' +
      "a path of letters, digits or ._~-",
    ],
    [{ PUSHER_SCHEME: "wss" }, 'PUSHER_SCHEME: "wss" is not allowed; expected http or https'],
    [
      { PUSHER_HOST: "https://h/" },
      'PUSHER_HOST: "https://h/" is not allowed; expected a host name or address, without scheme, ' +
      "port or path",
    ],
    ...["proxy.example.com", "10.0.0.0/8 ::1", "10.0.0.0/33", "0.0.0.0/0", "::/0", "::1,"].map(
      (value): [Record<string, string>, string] => [
        { TRUSTED_PROXIES: value },
        `TRUSTED_PROXIES: "${value}" is not allowed; expected addresses or networks such as ` +
        "127.0.0.1, ::1 or 10.0.0.0/8, separated by commas",
      ],
    ),
    [{ ADMIT_GUESTS: "maybe" }, 'ADMIT_GUESTS: "maybe" is not allowed; expected true or false'],
    [
      { ALLOWED_ORIGINS: "https://a.example/x" },
      'ALLOWED_ORIGINS: "https://a.example/x" is not allowed; expected * or origins such as ' +
      "https://example.com, separated by commas, without a path",
    ],
    [
      { PRESENCE_GRACE_MS: "-1" },
      'PRESENCE_GRACE_MS: "-1" is not allowed; expected a whole number from 0 to 600000',
    ],
    [
      { CLIENT_EVENTS_PER_SECOND: "none" },
      'CLIENT_EVENTS_PER_SECOND: "none" is not allowed; expected a whole number from 0 to 10000',
    ],
    [
      { MAX_CONNECTIONS: "0" },
      'MAX_CONNECTIONS: "0" is not allowed; expected a whole number from 1 to 1000000',
    ],
    [
      { WEBHOOK_URL: "https://a.example/?token=hunter2,ftp://b.example" },
      "WEBHOOK_URL: (secret, not shown) is not allowed; expected http:// or https:// addresses, " +
      "separated by commas, without user name and fragment",
    ],
    [{ APPS: "{}" }, "APPS: is not a list; expected a JSON list of apps"],
    [
      { APPS: "[]", APPS_FILE: "/apps.json" },
      "APPS_FILE: given, but APPS is too; expected one of them",
    ],
    [
      { TLS_CERT_FILE: "/cert.pem" },
      'TLS_CERT_FILE: "/cert.pem" is not allowed; expected a PEM CERTIFICATE',
    ],
    [{ LOG_FORMAT: "xml" }, 'LOG_FORMAT: "xml" is not allowed; expected text or json'],
    [
      { LOG_LEVEL: "loud" },
      'LOG_LEVEL: "loud" is not allowed; expected debug, info, warn or error',
    ],
  ];

  for (const [environment, expected] of refusals) {
    it(`are refused with one line: ${JSON.stringify(environment)}`, () => {
      assert.equal(problems(environment)[0], expected);
    });
  }

  it("are refused with one line for each invalid value", () => {
    assert.equal(problems({ PORT: "x", ADMIT_GUESTS: "x", PRESENCE_MAX_MEMBERS: "0" }).length, 3);
  });

  it("are refused with one line for a value with two faults", () => {
    assert.equal(problems({ PUSHER_APP_SECRET: "secret" }).length, 1);
  });

  it("require key and secret for an external server", () => {
    assert.deepEqual(problems({ PUSHER_HOST: "ws.example.com", PUSHER_APP_KEY: "12345678" }), [
      "PUSHER_APP_SECRET: not given, but PUSHER_HOST is; expected that server's",
    ]);
  });

  it("read a list of apps only from a readable file of at most 1 MB", async () => {
    const folder = await Deno.makeTempDir({ prefix: "rollcall-" });
    const path = `${folder}/apps.json`;
    const app = { id: "shop", key: "shop-key", secret: "the-secret-of-the-shop" };
    const refused = (name: string) => [
      `APPS_FILE: ${JSON.stringify(name)} is not allowed; expected a readable file of at most ` +
      "1048576 bytes",
    ];
    const read = (APPS_FILE: string) => {
      try {
        return parseConfig({ APPS_FILE }).appList?.apps.map(({ id }) => id);
      } catch (error) {
        return error instanceof ConfigError ? error.problems : error;
      }
    };
    for (const name of [path, folder, "/dev/zero"]) assert.deepEqual(read(name), refused(name));
    await Deno.writeTextFile(path, JSON.stringify([app]));
    assert.deepEqual(read(path), ["shop"]);
    await Deno.writeTextFile(path, JSON.stringify([app]).padEnd(1_048_577));
    assert.deepEqual(read(path), refused(path));
    await Deno.remove(folder, { recursive: true });
  });

  it("require a database, an address and SINGLE_INSTANCE on Deno Deploy", () => {
    const whole = {
      APP_URL: "https://rollcall.example.com",
      DATABASE_URL: "postgres://u:p@db/rollcall",
      SINGLE_INSTANCE: "true",
    };
    for (const DENO_DEPLOY of ["1", "true"]) {
      assert.deepEqual(problems({ DENO_DEPLOY, ...whole }), []);
      for (
        const [name, value] of [...Object.keys(whole).map((each) => [each, ""]), [
          "DRAIN_MS",
          "3001",
        ]]
      ) {
        const lines = problems({ DENO_DEPLOY, ...whole, [name]: value });
        assert.equal(lines.length, 1);
        assert.match(lines[0], new RegExp(`^${name}: .*Deno Deploy.*expected`));
      }
    }
  });

  it("keep activity for the days of ACTIVITY_DAYS, or of its former name ATTENDANCE_DAYS", () => {
    assert.equal(parseConfig({}).activityDays, 30);
    assert.equal(parseConfig({ ACTIVITY_DAYS: "7" }).activityDays, 7);
    assert.equal(parseConfig({ ATTENDANCE_DAYS: "7", ACTIVITY_DAYS: "" }).activityDays, 7);
    assert.equal(parseConfig({ ATTENDANCE_DAYS: "7", ACTIVITY_DAYS: "7" }).activityDays, 7);
    const renamed = [{ former: "ATTENDANCE_DAYS", name: "ACTIVITY_DAYS" }];
    assert.deepEqual(parseConfig({ ATTENDANCE_DAYS: "7" }).renamed, renamed);
    assert.deepEqual(parseConfig({ ACTIVITY_DAYS: "7" }).renamed, []);
    assert.deepEqual(problems({ ATTENDANCE_DAYS: "7", ACTIVITY_DAYS: "8" }), [
      "ATTENDANCE_DAYS: given, but ACTIVITY_DAYS is too, with another value; expected one of them",
    ]);
  });

  it("limit the members that are not quiet by PRESENCE_MAX_FULL_MEMBERS, or by its former name", () => {
    const limitOf = (environment: Record<string, string>) =>
      parseConfig(environment).presenceMaxFullMembers;
    assert.equal(limitOf({ PRESENCE_MAX_FULL_MEMBERS: "7" }), 7);
    assert.equal(limitOf({ PRESENCE_MAX_LOUD_MEMBERS: "7" }), 7);
  });

  it("are refused without printing secret values", () => {
    const lines = problems({
      PUSHER_APP_SECRET: "hunter2",
      DATABASE_URL: "mysql://root:hunter2@db/app",
      APP_KEY: "hunter2",
      METRICS_TOKEN: "hunter2",
    });
    assert.equal(lines.length, 4);
    for (const line of lines) assert.ok(!line.includes("hunter2"), line);
  });

  it("are refused with a weak secret, and say how to make a good one", () => {
    const secrets: [secret: string, expected: RegExp][] = [
      ["app-secret", /at least 16 characters/],
      ...[
        "your-pusher-secret",
        "your-reverb-app-secret",
        "changemechangeme",
        "Change-Me-Please-1",
        "secretsecretsecret",
        "laravel-reverb-secret",
        "soketi-app-secret-1",
      ].map((secret): [string, RegExp] => [secret, /from public examples/]),
    ];
    for (const name of ["PUSHER_APP_SECRET", "REVERB_APP_SECRET"]) {
      for (const [secret, expected] of secrets) {
        const [line, ...more] = problems({ [name]: secret });
        assert.match(line ?? "", expected, secret);
        assert.match(line, new RegExp(`^${name}: .*: \`openssl rand -hex 32\` makes one$`));
        assert.deepEqual(more, []);
      }
    }
  });

  it("accept every random secret", () => {
    const secret = fc.uint8Array({ minLength: 10, maxLength: 40 });
    fc.assert(fc.property(secret, (bytes) => {
      for (const text of [bytes.toHex(), bytes.toBase64()].map((text) => text.padEnd(16, "x"))) {
        assert.deepEqual(problems({ PUSHER_APP_SECRET: text }), []);
      }
    }));
  });

  it("accept ids and keys of any length that are safe in a URL, and no others", () => {
    const allowed = ["k", "laravel", "key.of_an-app~1", "...", "x".repeat(255)];
    const refused = [".", "..", "a/b", "a%2Fb", "a b", "a:b", "a?b", "a#b", "é", "x".repeat(256)];
    for (const name of ["PUSHER_APP_ID", "PUSHER_APP_KEY", "REVERB_APP_ID", "REVERB_APP_KEY"]) {
      for (const value of allowed) {
        assert.deepEqual(problems({ [name]: value }), []);
        const { pathname } = new URL(`http://localhost/apps/${value}/events`);
        assert.equal(pathname, `/apps/${value}/events`);
      }
      for (const value of refused) assert.equal(problems({ [name]: value }).length, 1, value);
    }
  });

  it("accept an IPv6 address to listen on, with and without brackets", () => {
    for (const HOST of ["[::1]", "::1"]) assert.equal(parseConfig({ HOST }).host, "::1");
    for (const HOST of ["[::1", "[localhost]", "::1]"]) assert.equal(problems({ HOST }).length, 1);
  });

  it("contain certificate and key, and an https address, when TLS files are set", () => {
    const pem = (path: string) =>
      `-----BEGIN ${path === "/c" ? "CERTIFICATE" : "PRIVATE KEY"}-----`;
    const config: Config = parseConfig({ TLS_CERT_FILE: "/c", TLS_KEY_FILE: "/k" }, pem);
    assert.deepEqual(config.tls, { cert: pem("/c"), key: pem("/k") });
    assert.equal(config.appUrl.protocol, "https:");
    const APP_URL = "http://rollcall.example.com";
    const behind = parseConfig({ APP_URL, TLS_CERT_FILE: "/c", TLS_KEY_FILE: "/k" }, pem);
    assert.ok(servesHttps(behind), "cookies are secure");
    assert.equal(servesHttps(parseConfig({ APP_URL })), false);
  });
});
