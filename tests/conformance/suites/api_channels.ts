import assert from "node:assert/strict";
import { answerOf, assertRefused, call } from "../api_call.ts";
import { sources, Suite } from "../suite.ts";
import type { AppHarness } from "../harness.ts";

export const apiChannels = new Suite("api-channels", "HTTP API: channels and users");

apiChannels.rule(
  "api-channels.list",
  "`GET /apps/ID/channels` lists the occupied channels, by `filter_by_prefix` where it is given, " +
    "without users' own channels.",
  sources.httpApi,
  async (harness) => {
    assert.deepEqual(await get(harness, "/channels"), { channels: {} });
    const client = await harness.signedIn();
    for (const name of ["news", "presence-a", "not-presence-a"]) await client.joined(name);
    assert.deepEqual(await get(harness, "/channels"), {
      channels: { news: {}, "presence-a": {}, "not-presence-a": {} },
    });
    assert.deepEqual(await get(harness, "/channels", { filter_by_prefix: "presence-" }), {
      channels: { "presence-a": {} },
    });
  },
);

apiChannels.rule(
  "api-channels.list-info",
  "`info` adds `user_count`, which needs a prefix that begins with `presence-` (else 400), and " +
    "`subscription_count`.",
  sources.httpApi,
  async (harness) => {
    for (const name of ["news", "presence-a"]) await (await harness.connected()).joined(name);
    const info = "user_count,subscription_count";
    assert.deepEqual(await get(harness, "/channels", { filter_by_prefix: "presence-", info }), {
      channels: { "presence-a": { user_count: 1, subscription_count: 1 } },
    });
    assert.deepEqual(await get(harness, "/channels", { info: "subscription_count" }), {
      channels: { news: { subscription_count: 1 }, "presence-a": { subscription_count: 1 } },
    });
    for (const prefix of ["", "n", "private-"]) {
      const params = { info: "user_count", filter_by_prefix: prefix };
      assertRefused(await call(harness, { path: "/channels", params }), 400, /filter_by_prefix/);
    }
  },
);

apiChannels.rule(
  "api-channels.one",
  "`GET /apps/ID/channels/NAME` returns whether it is occupied and, as asked by `info`, " +
    "`user_count` and `subscription_count`.",
  sources.httpApi,
  async (harness) => {
    const path = "/channels/presence-a";
    assert.deepEqual(await get(harness, path), { occupied: false });
    for (const userId of ["ann", "ann", "bob"]) {
      await (await harness.connected({ userId })).joined("presence-a");
    }
    assert.deepEqual(await get(harness, path), { occupied: true });
    assert.deepEqual(await get(harness, path, { info: "user_count,subscription_count" }), {
      occupied: true,
      user_count: 2,
      subscription_count: 3,
    });
    assert.deepEqual(await get(harness, "/channels/news", { info: "subscription_count" }), {
      occupied: false,
      subscription_count: 0,
    });
  },
);

apiChannels.rule(
  "api-channels.one-cache",
  "Of a cache channel it returns, as asked by `cache`, the `data` of the event that is kept and " +
    "the seconds until it expires (`ttl`).",
  sources.httpApi,
  async (harness) => {
    const cache = { info: "cache" };
    assert.deepEqual(await get(harness, "/channels/cache-a", cache), { occupied: false });
    await harness.library().trigger("cache-a", "update", { n: 1 });
    const answer = await call(harness, { path: "/channels/cache-a", params: cache });
    const { data, ttl } = answer.cache as { data: string; ttl: number };
    assert.equal(data, '{"n":1}');
    assert.ok(ttl > 1_790 && ttl <= 1_800, `${ttl}`);
  },
);

apiChannels.rule(
  "api-channels.one-malformed",
  "A value that a channel does not have, such as the `user_count` of a public one, gets 400; so " +
    "does a malformed channel name.",
  sources.httpApi,
  async (harness) => {
    const user_count = { info: "user_count" };
    const public_ = await call(harness, { path: "/channels/news", params: user_count });
    assertRefused(public_, 400, /not a presence channel/);
    const unknown = await call(harness, { path: "/channels/news", params: { info: "everything" } });
    assertRefused(unknown, 400, /at info/);
    assertRefused(await call(harness, { path: "/channels/a%20b" }), 400, /channel name/);
  },
);

apiChannels.rule(
  "api-channels.users",
  "`GET /apps/ID/channels/NAME/users` lists the users of a presence channel, each once; any " +
    "other channel gets 400.",
  sources.httpApi,
  async (harness) => {
    for (const userId of ["ann", "b é/&=%", "ann"]) {
      await (await harness.connected({ userId })).joined("presence-a");
    }
    assert.deepEqual(await get(harness, "/channels/presence-a/users"), {
      users: [{ id: "ann" }, { id: "b é/&=%" }],
    });
    assert.deepEqual(await get(harness, "/channels/presence-none/users"), { users: [] });
    const other = await call(harness, { path: "/channels/private-a/users" });
    assertRefused(other, 400, /not a presence channel/);
  },
);

apiChannels.rule(
  "api-channels.names",
  "Every character that a channel name may have is accepted in the path.",
  sources.httpApi,
  async (harness) => {
    const name = "presence-aZ09_-=@,.;";
    await (await harness.connected()).joined(name);
    assert.deepEqual(await get(harness, `/channels/${name}/users`), { users: [{ id: "ann" }] });
  },
);

apiChannels.rule(
  "api-channels.terminate",
  "`POST /apps/ID/users/UID/terminate_connections` closes the connections that signed in or " +
    "joined a presence channel as the user; the answer is `{}`, also when there is none.",
  sources.terminating,
  async (harness) => {
    const ids = ["ann", "ann smith", "bób+é"];
    for (const userId of ids) {
      const client = await harness.signedIn({ userId });
      const { socket } = client;
      assert.deepEqual(await answerOf(harness.library().terminateUserConnections(userId)), {});
      assert.equal((await socket.closed).code, 4009);
    }
    assert.deepEqual(await answerOf(harness.library().terminateUserConnections("nobody")), {});
  },
);

/** The answer to a question of the official library. */
function get(
  harness: AppHarness,
  path: string,
  params: Record<string, string> = {},
): Promise<unknown> {
  return answerOf(harness.library().get({ path, params }));
}
