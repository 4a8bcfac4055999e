import assert from "node:assert/strict";
import { describe, it } from "@std/testing/bdd";
import { documentedAppFields } from "@/server/config/app_fields.ts";
import { parseAppList } from "@/server/config/app_list.ts";
import {
  type ExternalField,
  reverbFields,
  soketiFields,
  soketiWebhookFields,
} from "@/server/config/external_app_fields.ts";

const credentials = { id: "shop", key: "shop-key", secret: "wq3Zr8kT0nVd5yLb" };

/** The app of a list, without rules that it does not state, the fields ignored, and the problems. */
function read(list: unknown) {
  const problems: string[] = [];
  const { apps, ignored } = parseAppList(JSON.stringify(list), "APPS", problems);
  return { apps: JSON.parse(JSON.stringify(apps)), ignored, problems };
}

/** An app as Soketi's documents have it, with every field of its interface. */
const soketi = {
  ...credentials,
  enabled: true,
  enableClientMessages: true,
  enableUserAuthentication: true,
  maxConnections: -1,
  maxBackendEventsPerSecond: 100,
  maxClientEventsPerSecond: -1,
  maxReadRequestsPerSecond: -1,
  maxPresenceMembersPerChannel: 100,
  maxPresenceMemberSizeInKb: 2,
  maxChannelNameLength: 100,
  maxEventChannelsAtOnce: 100,
  maxEventNameLength: null,
  maxEventPayloadInKb: 100,
  maxEventBatchSize: 10,
  webhooks: [
    {
      url: "https://shop.example.com/hook",
      event_types: ["channel_occupied"],
      headers: { "X-Token": "hunter2" },
      filter: { channel_name_starts_with: "presence-" },
    },
    { lambda_function: "f", lambda: { region: "eu-west-1" }, event_types: ["member_added"] },
  ],
};

const asTaken = {
  ...credentials,
  enabled: true,
  clientEvents: true,
  joinTimeoutMs: 30_000,
  maxConnections: 0,
  clientEventsPerSecond: 0,
  presenceMaxMembers: 100,
  presenceMaxInfoBytes: 2_048,
  maxEventBytes: 102_400,
  webhooks: [{
    url: "https://shop.example.com/hook",
    events: ["channel_occupied"],
    headers: { "x-token": "hunter2" },
    filter: { startsWith: "presence-" },
  }],
};

/** An app of Reverb's configuration as JSON, with the strings that environment variables are. */
const reverb = {
  key: "kq7wz0ayv2tn5mxh8r1c",
  secret: "o3d9bplx6fe1usgj4i7k",
  app_id: "483920",
  options: { host: "ws.example.com", port: 443, scheme: "https", useTLS: true },
  allowed_origins: ["*"],
  ping_interval: 60,
  activity_timeout: 30,
  max_connections: null,
  max_message_size: 10_000,
  accept_client_events_from: "members",
  rate_limiting: {
    enabled: false,
    max_attempts: 60,
    decay_seconds: 60,
    terminate_on_limit: false,
  },
};

describe("a list of Soketi", () => {
  const ignored = [
    "maxBackendEventsPerSecond",
    "maxChannelNameLength",
    "maxEventChannelsAtOnce",
    "maxEventBatchSize",
    "webhooks.lambda_function",
    "webhooks.lambda",
  ];

  it("is taken as it is; each field without a meaning is named once, without values", () => {
    const other = { ...soketi, id: "chat", key: "chat-key" };
    const { apps, problems, ...rest } = read([soketi, other]);
    assert.deepEqual(problems, []);
    assert.deepEqual(apps, [asTaken, { ...asTaken, id: "chat", key: "chat-key" }]);
    assert.deepEqual(rest.ignored, ignored);
  });

  it("is taken from its configuration file", () => {
    const taken = { apps: [asTaken], ignored, problems: [] };
    assert.deepEqual(read({ debug: true, "appManager.array.apps": [soketi] }), taken);
    assert.deepEqual(read({ appManager: { driver: "array", array: { apps: [soketi] } } }), taken);
  });

  it("is taken with the spellings and types of its databases", () => {
    const row = {
      ...credentials,
      max_connections: "-1",
      enabled: 1,
      enable_client_messages: "0",
      max_backend_events_per_sec: -1,
      max_client_events_per_sec: "5",
      max_read_req_per_sec: -1,
      webhooks: '[{"url":"https://shop.example.com/hook","event_types":["cache_miss"]}]',
      enable_user_authentication: 0,
      max_event_name_length: "",
    };
    assert.deepEqual(read([row]), {
      apps: [{
        ...credentials,
        enabled: true,
        maxConnections: 0,
        clientEvents: false,
        clientEventsPerSecond: 5,
        webhooks: [{ url: "https://shop.example.com/hook", events: ["cache_miss"] }],
      }],
      ignored: [],
      problems: [],
    });
    const { id, key, secret } = credentials;
    const dynamo = { AppId: id, AppKey: key, AppSecret: secret, MaxConnections: 7 };
    assert.deepEqual(read([dynamo]).apps, [{ ...credentials, maxConnections: 7 }]);
  });
});

describe("a list of Reverb", () => {
  const asTaken = {
    id: "483920",
    key: "kq7wz0ayv2tn5mxh8r1c",
    secret: "o3d9bplx6fe1usgj4i7k",
    allowedOrigins: ["*"],
    maxEventBytes: 10_000,
    clientEvents: true,
  };
  const ignored = ["options", "ping_interval", "activity_timeout", "rate_limiting"];

  it("is taken as it is; each field without a meaning is named once", () => {
    assert.deepEqual(read([reverb]), { apps: [asTaken], ignored, problems: [] });
  });

  it("is taken from its configuration", () => {
    assert.deepEqual(read({ provider: "config", apps: [reverb] }).apps, [asTaken]);
  });

  it("is taken with a number as id, numbers as texts, and host names as origins", () => {
    const change = {
      app_id: 483920,
      max_message_size: "20000",
      max_connections: "100",
      allowed_origins: ["Shop.example.com", "*.example.org", "https://a.example:8443"],
    };
    assert.deepEqual(read([{ ...reverb, ...change }]).apps, [{
      ...asTaken,
      maxConnections: 100,
      maxEventBytes: 20_000,
      allowedOrigins: ["shop.example.com", "*.example.org", "https://a.example:8443"],
    }]);
  });

  const senders: [value: unknown, clientEvents: boolean | undefined][] = [
    ["all", true],
    ["members", true],
    ["none", false],
    [false, false],
    [null, undefined],
    ["", undefined],
  ];
  for (const [value, clientEvents] of senders) {
    it(`has client events ${clientEvents} with accept_client_events_from ${value}`, () => {
      const { apps: [app], problems } = read([{ ...reverb, accept_client_events_from: value }]);
      assert.deepEqual(problems, []);
      assert.equal(app.clientEvents, clientEvents);
    });
  }

  it("has the greatest size of events with a greater max_message_size, and with -1", () => {
    for (const max_message_size of [5_000_000, -1]) {
      assert.equal(read([{ ...reverb, max_message_size }]).apps[0].maxEventBytes, 524_288);
    }
  });
});

describe("-1 in a list", () => {
  for (const name of Object.keys(documentedAppFields).filter((name) => /^max|_ms$/.test(name))) {
    it(`is no limit, or the greatest that there is, as ${name}`, () => {
      const rules = (value: number) => {
        const { apps: [app], problems } = read([{ ...credentials, [name]: value }]);
        return problems.length > 0 ? undefined : app;
      };
      const greatest = [0, 1_000_000, 512, 16].map(rules).find((app) => app !== undefined);
      assert.deepEqual(rules(-1), greatest);
    });
  }
});

describe("the fields of other servers that are documented", () => {
  const tables: [name: string, fields: Record<string, ExternalField>, example: object][] = [
    ["Soketi", soketiFields, soketi],
    ["Soketi's webhooks", soketiWebhookFields, Object.assign({}, ...soketi.webhooks)],
    ["Reverb", reverbFields, reverb],
  ];
  for (const [name, fields, example] of tables) {
    it(`are those of ${name}`, () => {
      const own = name === "Soketi's webhooks" ? ["url", "event_types"] : [];
      assert.deepEqual([...Object.keys(fields), ...own].sort(), Object.keys(example).sort());
    });

    it(`of ${name} have a field here, or a sentence that says what there is instead`, () => {
      for (const { ours, about } of Object.values(fields)) assert.ok(ours ?? about);
    });
  }
});
