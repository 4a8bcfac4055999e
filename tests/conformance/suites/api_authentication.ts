import assert from "node:assert/strict";
import { answerOf, type ApiCall, assertRefused, call, post } from "../api_call.ts";
import { sources, Suite } from "../suite.ts";
import { AppHarness } from "../harness.ts";

export const apiAuthentication = new Suite("api-auth", "HTTP API: authentication and refusals");

const event = { name: "e", channel: "news", data: "{}" };

apiAuthentication.rule(
  "api-auth.library",
  "Calls of the official library are authenticated, with and without a body.",
  sources.httpApi,
  async (harness) => {
    assert.deepEqual(await answerOf(harness.library().trigger("news", "e", "hé 💚")), {});
    const params = { filter_by_prefix: "presence-", info: "user_count" };
    assert.deepEqual(await answerOf(harness.library().get({ path: "/channels", params })), {
      channels: {},
    });
  },
);

apiAuthentication.rule(
  "api-auth.vector",
  "The signed call in Pusher's reference is accepted as it is there, at its time.",
  sources.httpApi,
  async () => {
    const credentials = { id: "3", key: "278d425bdf160c739803", secret: "7ad3773142a6692b25b8" };
    await using harness = await AppHarness.alone({ apiTime: 1_353_088_179_000 }, credentials);
    const client = await harness.connected();
    await client.joined("project-3");
    const query = "auth_key=278d425bdf160c739803&auth_timestamp=1353088179&auth_version=1.0" +
      "&body_md5=ec365a775a4cd0599faeb73354201b6f" +
      "&auth_signature=da454824c97ba181a32ccc17a72625ba02771f50b50e1e7430e47a1f3f457e6c";
    const response = await fetch(`${harness.origin}/apps/3/events?${query}`, {
      method: "POST",
      body: '{"name":"foo","channels":["project-3"],"data":"{\\"some\\":\\"data\\"}"}',
    });
    assert.deepEqual([response.status, await response.json()], [200, {}]);
    await client.settled();
    assert.equal(client.received("foo")[0].data, '{"some":"data"}');
  },
);

apiAuthentication.rule(
  "api-auth.parameters",
  "A call without `auth_key`, `auth_timestamp`, `auth_version` or `auth_signature` gets 401.",
  sources.httpApi,
  async (harness) => {
    for (const name of ["auth_key", "auth_timestamp", "auth_version", "auth_signature"]) {
      const answer = await call(harness, {
        path: "/channels",
        change: (query) => query.delete(name),
      });
      assertRefused(answer, 401, new RegExp(`no ${name}`));
    }
  },
);

/** What makes a call another one than was signed. */
const changes: [id: string, text: string, change: Partial<ApiCall>, message: RegExp][] = [
  [
    "key",
    "The key of another app gets 401.",
    { change: (query) => query.set("auth_key", "another") },
    /auth_key/,
  ],
  [
    "version",
    "`auth_version` other than 1.0 gets 401.",
    { change: (query) => query.set("auth_version", "2.0") },
    /auth_version/,
  ],
  [
    "query",
    "A query other than the signed one gets 401, with the text to sign.",
    { change: (query) => query.set("info", "user_count") },
    /auth_signature must be .*GET\\n\/apps\/.*\\nauth_key=.*&info=user_count/,
  ],
];

for (const [id, text, change, message] of changes) {
  apiAuthentication.rule(`api-auth.${id}`, text, sources.httpApi, async (harness) => {
    assertRefused(await call(harness, { path: "/channels", ...change }), 401, message);
  });
}

apiAuthentication.rule(
  "api-auth.secret",
  "A signature with another secret gets 401; no answer reveals the right one.",
  sources.httpApi,
  async (harness) => {
    const library = harness.library({ secret: "another" });
    const answer = await call(harness, { path: "/channels", library });
    assertRefused(answer, 401, /auth_signature must be/);
    const right = new URLSearchParams(
      harness.library().createSignedQueryString({
        method: "GET",
        path: `/apps/${harness.app.id}/channels`,
      }),
    );
    const told = JSON.stringify(answer);
    for (const secret of [harness.app.secret, right.get("auth_signature")]) {
      assert.ok(secret && !told.includes(secret));
    }
  },
);

apiAuthentication.rule(
  "api-auth.time",
  "`auth_timestamp` may differ from the server's clock by up to 600 seconds; a larger difference " +
    "gets 401.",
  sources.httpApi,
  async () => {
    for (const direction of [-1, 1]) {
      const at = (seconds: number) => Date.now() + direction * seconds * 1_000;
      await using near = await AppHarness.alone({ apiTime: at(540) });
      await using far = await AppHarness.alone({ apiTime: at(660) });
      assert.equal((await call(near, { path: "/channels" })).status, 200);
      assertRefused(
        await call(far, { path: "/channels" }),
        401,
        /auth_timestamp is [67]\d\d seconds off/,
      );
    }
  },
);

apiAuthentication.rule(
  "api-auth.body",
  "`body_md5` is the digest of the body: another body, or a body without it, gets 401.",
  sources.httpApi,
  async (harness) => {
    const options = { method: "POST" as const, path: "/events", body: JSON.stringify(event) };
    const sentBody = options.body.replace("news", "olds");
    assertRefused(await call(harness, { ...options, sentBody }), 401, /body_md5/);
    const unsigned = { ...options, body: undefined, sentBody };
    assertRefused(await call(harness, unsigned), 401, /body_md5/);
  },
);

apiAuthentication.rule(
  "api-auth.order",
  "The order of parameters in the address does not matter, nor the case of their names, nor how their " +
    "values are escaped.",
  sources.httpApi,
  async (harness) => {
    const answer = await call(harness, {
      path: "/channels",
      params: { filter_by_prefix: "private-a=@,;" },
      change: (query) => {
        const pairs = [...query].reverse();
        for (const name of [...query.keys()]) query.delete(name);
        for (const [name, value] of pairs) query.append(name.toUpperCase(), value);
      },
    });
    assert.deepEqual(answer, { status: 200, channels: {} });
  },
);

apiAuthentication.rule(
  "api-auth.prefix",
  "A path that a proxy adds before `/apps/` does not break the signature.",
  sources.httpApi,
  async (harness) => {
    const answer = await call(harness, { path: "/channels", prefix: "/behind/a/proxy" });
    assert.deepEqual(answer, { status: 200, channels: {} });
  },
);

apiAuthentication.rule(
  "api-auth.403",
  "403: the app is disabled; answered only to callers with its secret.",
  sources.httpApi,
  async (harness) => {
    await harness.set({ enabled: false });
    assertRefused(await call(harness, { path: "/channels" }), 403, /disabled/);
    const library = harness.library({ secret: "another" });
    assertRefused(await call(harness, { path: "/channels", library }), 401, /auth_signature/);
  },
);

apiAuthentication.rule(
  "api-auth.403-quota",
  "403: the app has reached its quota of calls in this second.",
  sources.httpApi,
  async () => {
    const rules = { maxApiRequestsPerSecond: 2 };
    await using harness = await AppHarness.alone({ clockIsStopped: true }, rules);
    const statuses = async (count: number) => {
      const answers = [];
      for (let n = 0; n < count; n++) answers.push(await call(harness, { path: "/channels" }));
      return answers.map(({ status }) => status);
    };
    assert.deepEqual(await statuses(3), [200, 200, 403]);
    assertRefused(await call(harness, { path: "/channels" }), 403, /2 calls a second/);
    await harness.server.advance(1_000);
    assert.deepEqual(await statuses(1), [200]);
  },
);

apiAuthentication.rule(
  "api-auth.404",
  "404: no app has this id, or there is no such call.",
  sources.httpApi,
  async (harness) => {
    const response = await fetch(`${harness.origin}/apps/nobody-has-this/channels`);
    assertRefused({ status: response.status, ...await response.json() }, 404, /no app/);
    assertRefused(await call(harness, { path: "/nothing" }), 404, /no such call/);
  },
);

apiAuthentication.rule(
  "api-auth.405",
  "405: the call needs another method.",
  sources.httpApi,
  async (harness) => {
    assertRefused(await call(harness, { path: "/events" }), 405, /POST/);
    assertRefused(await post(harness, "/channels", {}), 405, /GET/);
  },
);

apiAuthentication.rule(
  "api-auth.refusal",
  "A refusal is JSON with `reason`, a constant word, and `message`, which names the fault; the " +
    "official library passes both to its caller.",
  sources.httpApi,
  async (harness) => {
    const error = await harness.library({ secret: "another" }).trigger("news", "e", {})
      .catch((error) => error);
    assert.equal(error.status, 401);
    const { reason, message } = JSON.parse(error.body);
    assert.equal(reason, "invalid_signature");
    assert.match(message, /auth_signature must be/);
  },
);
