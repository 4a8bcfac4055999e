import assert from "node:assert/strict";
import { describe, it } from "@std/testing/bdd";
import { Unavailable } from "@/realtime/brokers/broker.ts";
import { HttpApi } from "@/realtime/api/http_api.ts";
import {
  ApiHarness,
  posted,
  type Refused,
  testRefusal,
  written,
  type WrittenCall,
} from "./harness.ts";

const event = { name: "e", channel: "news", data: "{}" };
const events = (change: object) => posted("/apps/1/events", { ...event, ...change });
const batch = (list: unknown) => posted("/apps/1/batch_events", { batch: list });
const get = (path: string, query = {}) => written({ path: `/apps/1/${path}`, query });
const manyNames = (count: number) => Array.from({ length: count }, (_, index) => `c${index}`);
const channels = (names: unknown) => events({ channel: undefined, channels: names });

const malformed: [what: string, call: WrittenCall, message: RegExp][] = [
  [
    "no body",
    written({ method: "POST", path: "/apps/1/events" }),
    /Invalid body: not JSON/,
  ],
  ["a list as body", posted("/apps/1/events", []), /Invalid body/],
  ["no event name", events({ name: undefined }), /at name/],
  ["an empty event name", events({ name: "" }), /at name/],
  ["an event name of 201 characters", events({ name: "x".repeat(201) }), /at name: .*200/],
  ["an event of the protocol", events({ name: "pusher:subscribe" }), /at name/],
  [
    "an internal event of the protocol",
    events({ name: "pusher_internal:member_added" }),
    /at name/,
  ],
  ["an event of the server's own", events({ name: "rollcall:count" }), /at name/],
  ["no data", events({ data: undefined }), /at data/],
  ["data that is no string", events({ data: {} }), /at data/],
  ["no channel", events({ channel: undefined }), /either channel or channels/],
  ["both channel and channels", events({ channels: ["b"] }), /either channel or channels/],
  ["a channel with a space", events({ channel: "a b" }), /at channel/],
  ["a channel with a line break", events({ channel: "a\n" }), /at channel/],
  ["an empty channel", events({ channel: "" }), /at channel/],
  ["a channel of 165 characters", events({ channel: "x".repeat(165) }), /at channel: .*164/],
  ["a user's channel without a user", events({ channel: "#server-to-user-" }), /at channel/],
  ["channels that are no list", channels("news"), /at channels/],
  ["no channels", channels([]), /at channels/],
  ["101 channels", channels(manyNames(101)), /at channels: .*100/],
  ["a bad one among the channels", channels(["a", "b c"]), /at channels.1/],
  ["encrypted among others", channels(["private-encrypted-a", "b"]), /encrypted/],
  ["a bad socket id", events({ socket_id: "1" }), /at socket_id/],
  ["an unknown attribute", events({ info: "user_counts" }), /at info.0: only user_count/],
  ["a batch that is no list", batch({}), /at batch/],
  ["a batch of 11", batch(Array(11).fill(event)), /at batch: Batch too large \(11 > 10\)$/],
  ["channels in a batch", batch([{ ...event, channel: undefined, channels: ["a"] }]), /batch.0/],
  ["a bad one in a batch", batch([event, { ...event, name: "" }]), /at batch.1.name/],
  ["user_count without prefix", get("channels", { info: "user_count" }), /filter_by_prefix/],
  [
    "user_count with another prefix",
    get("channels", { info: "user_count", filter_by_prefix: "private-" }),
    /filter_by_prefix/,
  ],
  ["cache of all channels", get("channels", { info: "cache" }), /at info.0/],
  [
    "user_count of a public channel",
    get("channels/news", { info: "user_count" }),
    /not a presence channel/,
  ],
  ["an unknown attribute of a channel", get("channels/news", { info: "x" }), /at info.0/],
  ["a channel name with a space", get("channels/a%20b"), /channel name/],
  ["users of a private channel", get("channels/private-a/users"), /not a presence channel/],
  [
    "a user id of 129 characters",
    posted(`/apps/1/users/${"x".repeat(129)}/terminate_connections`, {}),
    /user id/,
  ],
  ["a query of 5,000 characters", get("channels", { x: "y".repeat(5_000) }), /4096/],
];

const rows: Refused[] = [
  ...malformed.map(([what, call, message]) => ({
    what,
    call,
    message,
    status: 400,
    reason: "bad_request",
  })),
  {
    what: "data of 10,241 bytes",
    call: events({ data: `${"é".repeat(5_120)}x` }),
    status: 413,
    reason: "too_large",
    message:
      /^The data content of this event exceeds the allowed maximum \(10240 bytes\): .*10241$/,
  },
  {
    what: "data of 10,241 bytes in a batch",
    call: batch([event, { ...event, data: "x".repeat(10_241) }]),
    status: 413,
    reason: "too_large",
    message: /^The data content of this event exceeds the allowed maximum \(10240 bytes\)/,
  },
  {
    what: "an app that does not exist",
    call: written({ path: "/apps/2/channels" }),
    status: 404,
    reason: "unknown_app",
    message: /no app 2/,
  },
  ...["/apps/1/nothing", "/apps/1/users/7", "/apps/1", "/apps/1/channels/a/b", "/apps/"].map((
    path,
  ) => ({
    what: `the path ${path}`,
    call: written({ path }),
    status: 404,
    reason: "unknown_call",
    message: /no such call/,
  })),
  ...[["GET", "events"], ["POST", "channels"], ["DELETE", "channels/a/users"]].map((
    [method, path],
  ) => ({
    what: `${method} ${path}`,
    call: written({ method, path: `/apps/1/${path}` }),
    status: 405,
    reason: "wrong_method",
    message: /method/,
  })),
];

describe("A call of the HTTP API is refused with", () => rows.forEach(testRefusal));

/** Calls that are just within the limits. */
const accepted: [what: string, call: WrittenCall][] = [
  ["an event name of 200 characters", events({ name: "x".repeat(200) })],
  ["data of 10,240 bytes", events({ data: "é".repeat(5_120) })],
  ["100 channels", channels(manyNames(100))],
  ["10 events", batch(Array(10).fill({ ...event, data: "\u0001".repeat(10_240) }))],
  ["no event", batch([])],
  ["a client event", events({ name: "client-typing" })],
  ["a socket id that is null", events({ socket_id: null, info: null })],
  ["an app behind a prefix", { ...events({}), path: "/realtime/apps/1/events" }],
];

describe("A call of the HTTP API", () => {
  for (const [what, call] of accepted) {
    it(`is accepted with 200: ${what}`, async () => {
      await using harness = new ApiHarness();
      assert.deepEqual(await harness.send(call), { status: 200 });
    });
  }

  it("sends an event once to a channel that is named twice", async () => {
    await using harness = new ApiHarness();
    const client = await harness.connect();
    client.subscribe("news");
    await client.next("pusher_internal:subscription_succeeded");
    await harness.send(channels(["news", "news"]));
    assert.deepEqual(await client.settled(), [{ event: "e", channel: "news", data: {} }]);
  });

  it("to an app that takes no calls gets 403 app_refused, but only with the right secret", async () => {
    await using harness = new ApiHarness();
    let asked = 0;
    const takeCall = () => ({ reason: "app_refused", message: `The app is disabled (${++asked})` });
    const api = new HttpApi({
      appOf: (id) => {
        const api = harness.realtime.appApi(id);
        return api && Object.assign(api, { takeCall });
      },
    });
    const answer = async ({ method, path, query, body }: WrittenCall) => {
      const response = await api.answer(new Request(`http://a${path}?${query}`, { method, body }));
      return { status: response.status, ...await response.json() };
    };
    assert.equal((await answer(written({ secret: "other" }))).status, 401);
    assert.equal(asked, 0);
    assert.deepEqual(await answer(events({})), {
      status: 403,
      reason: "app_refused",
      message: "The app is disabled (1)",
    });
  });

  it("gets 503 with a time to try again while the servers do not reach each other", async () => {
    await using harness = new ApiHarness();
    const fail = () => Promise.reject(new Unavailable());
    const api = new HttpApi({
      appOf: (id) => {
        const api = harness.realtime.appApi(id);
        return api && Object.assign(api, { publish: fail, channels: fail });
      },
    });
    for (const { method, path, query, body } of [written(), events({})]) {
      const request = new Request(`http://a${path}?${query}`, { method, body });
      const response = await api.answer(request);
      assert.equal(response.status, 503);
      assert.equal(response.headers.get("retry-after"), "5");
      assert.equal((await response.json()).reason, "unavailable");
    }
  });

  it("gets 500 without the text of the error when the server fails, and the error is logged", async () => {
    const logged: unknown[] = [];
    const appOf = () => {
      throw new Error("inner text");
    };
    const api = new HttpApi({ appOf, log: (entry) => logged.push(entry) });
    const response = await api.answer(new Request("http://a/apps/1/channels"));
    assert.equal(response.status, 500);
    assert.doesNotMatch(await response.text(), /inner/);
    assert.equal(logged.length, 1);
  });
});
