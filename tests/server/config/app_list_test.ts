import assert from "node:assert/strict";
import { describe, it } from "@std/testing/bdd";
import { maxApps, parseAppList } from "@/server/config/app_list.ts";
import type { AppConfig } from "@/realtime/app_config.ts";

const app = { id: "shop", key: "shop-key", secret: "long-enough-to-sign-with" };

/** The apps of a list, without the rules that they do not state, and the problems. */
function read(list: unknown): { apps: AppConfig[]; problems: string[] } {
  const { apps, problems } = readAll(list);
  return { apps, problems };
}

/** Also the fields that are ignored. */
function readAll(list: unknown): { apps: AppConfig[]; ignored: string[]; problems: string[] } {
  const problems: string[] = [];
  const text = typeof list === "string" ? list : JSON.stringify(list);
  const { apps, ignored } = parseAppList(text, "APPS_FILE", problems);
  return { apps: JSON.parse(JSON.stringify(apps)), ignored, problems };
}

describe("a list of apps", () => {
  it("may have the former name of the limit for members that are not quiet", () => {
    const { apps } = readAll([{ ...app, max_loud_members_per_channel: 7 }]);
    assert.equal(apps[0].presenceMaxFullMembers, 7);
    assert.equal(apps[0].id, app.id);
  });

  it("is read from the documented example, whose secrets alone are refused", async () => {
    const page = await Deno.readTextFile(new URL("../../../docs/apps.md", import.meta.url));
    const example = /```json\n([^]*?)```/.exec(page)?.[1] ?? "";
    assert.deepEqual(
      read(example).problems,
      ["[0].secret (app 48213)", "[1].secret (app 48214)"].map((place) =>
        `APPS_FILE: ${place}: (secret, not shown) is not allowed; expected a secret of your own, ` +
        "as this one is from public examples: `openssl rand -hex 32` makes one"
      ),
    );
    const secret = "0123456789abcdef";
    assert.deepEqual(read(example.replaceAll("a-long-secret-of-your-own", secret)), {
      problems: [],
      apps: [
        {
          id: "48213",
          key: "shop-key",
          secret,
          allowedOrigins: ["https://shop.example.com"],
          maxConnections: 2_000,
          clientEvents: true,
          clientEventsPerSecond: 5,
          webhooks: [{
            url: "https://shop.example.com/webhooks/pusher",
            events: ["channel_occupied", "channel_vacated"],
          }],
        },
        {
          id: "48214",
          key: "chat-key",
          secret,
          presenceMaxMembers: 500,
          maxApiRequestsPerSecond: 100,
          subscriptionCount: true,
          watchlist: true,
        },
      ],
    });
  });

  it("has a rule for every documented name, in both spellings", async () => {
    const page = await Deno.readTextFile(new URL("../../../docs/apps.md", import.meta.url));
    const names = [...page.matchAll(/^\| `([a-z_]+)`/gm)].map(([, name]) => name);
    assert.equal(names.length, 20);
    assert.ok(names.includes("max_messages_per_second"));
    const values: Record<string, unknown> = {
      ...app,
      name: "Shop",
      enabled: false,
      allowed_origins: ["*"],
      enable_client_messages: false,
      subscription_count: false,
      watchlist: false,
      quiet_channels: ["presence-event.*"],
      webhooks: [{ url: "http://localhost:1234/hook" }],
    };
    const fields = names.map((name) => [name, values[name] ?? 1]);
    const camel = fields.map(([name, value]) => [
      (name as string).replace(/_./g, ([, letter]) => letter.toUpperCase()),
      value,
    ]);
    const { apps: [listed], problems } = read([Object.fromEntries(fields)]);
    assert.deepEqual(problems, []);
    assert.equal(Object.keys(listed).length, names.length);
    assert.deepEqual(read([Object.fromEntries(camel)]).apps, [listed]);
    assert.equal(listed.presenceMaxInfoBytes, 1_024);
    assert.equal(listed.maxEventBytes, 1_024);
  });

  it("can have Reverb's app_id instead of id", () => {
    const { id, ...rest } = app;
    assert.deepEqual(read([{ app_id: id, ...rest }]), { apps: [app], problems: [] });
  });

  const whole = "is not allowed; expected a whole number from";

  /** A change to a valid app, and the only line that is printed for it. */
  const faults: [change: object, line: string][] = [
    [
      { id: undefined },
      "[0].id: is not given; expected a text in quotes: 1 to 255 letters, digits, _, -, . or ~",
    ],
    [
      { id: 7.5 },
      "[0].id: 7.5 is not allowed; expected a text in quotes: 1 to 255 letters, digits, _, -, . or ~",
    ],
    [
      { key: "no key" },
      '[0].key (app shop): "no key" is not allowed; expected 1 to 255 letters, digits, _, -, . or ~',
    ],
    [
      { secret: "hunter2" },
      "[0].secret (app shop): (secret, not shown) is not allowed; expected at least 16 characters: `openssl rand -hex 32` makes one",
    ],
    [
      { secret: { a: "hunter2" } },
      "[0].secret (app shop): (secret, not shown) is not allowed; expected a text in quotes: at least 16 characters: `openssl rand -hex 32` makes one",
    ],
    [
      { secret: "Your-Pusher-App-Secret" },
      "[0].secret (app shop): (secret, not shown) is not allowed; expected a secret of your own, as this one is from public examples: `openssl rand -hex 32` makes one",
    ],
    [
      { enabled: "maybe" },
      '[0].enabled (app shop): "maybe" is not allowed; expected true or false',
    ],
    [{ max_connections: -2 }, `[0].max_connections (app shop): -2 ${whole} 0 to 1000000`],
    [{ maxConnections: 1.5 }, `[0].max_connections (app shop): 1.5 ${whole} 0 to 1000000`],
    [{ max_connections: "many" }, `[0].max_connections (app shop): "many" ${whole} 0 to 1000000`],
    [
      { max_messages_per_second: true },
      `[0].max_messages_per_second (app shop): true ${whole} 0 to 1000000`,
    ],
    [
      { max_presence_members_per_channel: 0 },
      `[0].max_presence_members_per_channel (app shop): 0 ${whole} 1 to 1000000`,
    ],
    [
      { max_event_payload_in_kb: 0 },
      "[0].max_event_payload_in_kb (app shop): 0 is not allowed; expected a number of kilobytes over 0, up to 512",
    ],
    [
      { allowed_origins: ["https://example.com/"] },
      '[0].allowed_origins[0] (app shop): "https://example.com/" is not allowed; expected *, an origin such as https://example.com, without a path, or a host such as *.example.com',
    ],
    [
      { allowed_origins: "*" },
      '[0].allowed_origins (app shop): "*" is not allowed; expected a list of 1 to 1000 origins',
    ],
    [
      { allowed_origins: [] },
      "[0].allowed_origins (app shop): a list of 0 is not allowed; expected a list of 1 to 1000 origins",
    ],
    [
      { webhooks: [{ url: "https://ann:hunter2@a.example/" }] },
      "[0].webhooks[0].url (app shop): (secret, not shown) is not allowed; expected an http:// or https:// address of at most 2048 characters, without user name and fragment",
    ],
    [
      { webhooks: [{ url: "https://a.example", eventTypes: ["online"] }] },
      '[0].webhooks[0].event_types[0] (app shop): "online" is not allowed; expected one of channel_occupied, channel_vacated, member_added, member_removed, member_updated, client_event, cache_miss, subscription_count',
    ],
    [
      { webhooks: [{ url: "https://a.example", headers: { "X-Token": "hunter2\n" } }] },
      "[0].webhooks[0].headers.X-Token (app shop): (secret, not shown) is not allowed; expected a text of at most 4096 Latin characters in one line",
    ],
    [
      { webhooks: [{ url: "https://a.example", headers: { host: "b.example" } }] },
      "[0].webhooks[0].headers.host (app shop): (secret, not shown) is not allowed; expected a header that does not belong to the connection",
    ],
    [
      {
        webhooks: [{ url: "https://a.example" }, {
          url: "https://a.example",
          headers: { a: "hunter2" },
        }],
      },
      "[0].webhooks[1].headers (app shop): (secret, not shown) is not allowed; expected the same headers for each webhook with this url",
    ],
    [
      { webhooks: [{ url: "https://a.example", include: ["emails"] }] },
      '[0].webhooks[0].include[0] (app shop): "emails" is not allowed; expected one of details, names',
    ],
    [
      { webhooks: [{ url: "https://a.example", filter: { channelNameStartsWith: "a" } }] },
      "[0].webhooks[0].filter.channelNameStartsWith (app shop): is not a known field",
    ],
    [
      { webhooks: [{ url: "https://a.example", lamda: "f" }] },
      "[0].webhooks[0].lamda (app shop): is not a known field",
    ],
    [
      { webhooks: Array(11).fill({ url: "https://a.example" }) },
      "[0].webhooks (app shop): a list of 11 is not allowed; expected at most 10 webhooks",
    ],
    [{ max_conections: 5 }, "[0].max_conections (app shop): is not a known field"],
    [
      { maxReadRequestPerSecond: 5 },
      "[0].max_read_request_per_second (app shop): is not a known field",
    ],
    [
      { max_event_payload_in_kb: 5, max_message_size: 5 },
      "[0].max_event_payload_in_kb (app shop): is given twice; expected it once",
    ],
    [
      { accept_client_events_from: "nobody" },
      '[0].enable_client_messages (app shop): "nobody" is not allowed; expected true or false',
    ],
    [
      { max_connections: 1, maxConnections: 2 },
      "[0].max_connections (app shop): is given twice; expected it once",
    ],
  ];

  for (const [change, line] of faults) {
    it(`is refused with one line for ${JSON.stringify(change).slice(0, 60)}`, () => {
      assert.deepEqual(read([{ ...app, ...change }]).problems, [`APPS_FILE: ${line}`]);
    });
  }

  const notLists: [text: string, line: string][] = [
    ["", "is not JSON; expected a JSON list of apps"],
    ['[{"secret": hunter2}]', "is not JSON; expected a JSON list of apps"],
    [
      '[{"secret":\n"hunter2" x}]',
      "is not JSON at line 2, column 11; expected a JSON list of apps",
    ],
    ["{}", "is not a list; expected a JSON list of apps"],
    ["[]", `has 0 apps; expected 1 to ${maxApps}`],
    [JSON.stringify(Array(maxApps + 1).fill(app)), `has 1001 apps; expected 1 to ${maxApps}`],
    ["[5]", "[0]: 5 is not allowed; expected an app in braces"],
    ["[[]]", "[0]: a list of 0 is not allowed; expected an app in braces"],
    [
      `${"[".repeat(200_000)}${"]".repeat(200_000)}`,
      "[0]: a list of 1 is not allowed; expected an app in braces",
    ],
  ];

  for (const [text, line] of notLists) {
    it(`is refused with one line when it is ${text.slice(0, 30)}…`, () => {
      assert.deepEqual(read(text), { apps: [], problems: [`APPS_FILE: ${line}`] });
    });
  }

  it("is refused for the names of Object.prototype", () => {
    const text = JSON.stringify([app]).replace("}", ',"__proto__":{"secret":"x"},"constructor":1}');
    assert.deepEqual(read(text).problems, [
      "APPS_FILE: [0].__proto__ (app shop): is not a known field",
      "APPS_FILE: [0].constructor (app shop): is not a known field",
    ]);
  });

  it("is refused when two apps have the same id or key", () => {
    const other = { ...app, id: "chat" };
    assert.deepEqual(read([app, other, { ...app, key: "chat-key" }]).problems, [
      "APPS_FILE: [1].key (app chat): is the same as in [0]; expected a unique one",
      "APPS_FILE: [2].id (app shop): is the same as in [0]; expected a unique one",
    ]);
  });

  it("is refused with at most 50 lines and a count of the other faults", () => {
    const { apps, problems } = read([app, ...Array(100).fill({ ...app, id: "", secret: "" })]);
    assert.deepEqual(apps, [app]);
    assert.equal(problems.length, 51);
    assert.equal(problems[50], "APPS_FILE: and 150 more faults");
  });
});
