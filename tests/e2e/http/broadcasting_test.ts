import { strict as assert } from "node:assert";
import { createHmac } from "node:crypto";
import { afterAll, beforeAll, describe, it } from "@std/testing/bdd";
import { HttpVisitor } from "../../fixtures/http_visitor.ts";
import { moveIn } from "../../fixtures/people.ts";
import { Rollcall } from "../../fixtures/rollcall.ts";

const key = "a-key-of-the-tests";
const secret = "a-secret-of-the-tests-alone";
const auth = "/broadcasting/auth";
const userAuth = "/broadcasting/user-auth";

describe("the auth routes", () => {
  let server: Rollcall;
  let user: HttpVisitor;
  let userId: string;

  beforeAll(async () => {
    server = await Rollcall.start({ PUSHER_APP_KEY: key, PUSHER_APP_SECRET: secret });
    [, user] = await moveIn(server, "user");
    const { user_data: data } = await answer(user, userAuth, { socket_id: "1.2" });
    userId = JSON.parse(data).id;
  });
  afterAll(() => server[Symbol.asyncDispose]());

  it("sign a presence subscription, as a form", async () => {
    const fields = { socket_id: "1234.1234", channel_name: "presence-chart" };
    const body = await answer(user, auth, fields);
    assert.deepEqual(JSON.parse(body.channel_data), {
      user_id: userId,
      user_info: { id: userId },
      // Who is no admin is told how many are online, and not who.
      rollcall: { quiet: true },
    });
    assert.equal(body.auth, signed(`1234.1234:presence-chart:${body.channel_data}`));
  });

  it("sign a subscription to a reserved channel, as JSON, with a secret of its own", async () => {
    const channel = `private-rollcall.users.${userId}`;
    const response = await user.send(
      "POST",
      auth,
      JSON.stringify({ socket_id: "1.2", channel_name: channel }),
      { "content-type": "application/json", "x-csrf-token": user.csrfToken },
    );
    assert.equal(response.status, 200);
    const { auth: signature, ...rest } = JSON.parse(response.text);
    assert.match(signature, /^a-key-of-the-tests:[0-9a-f]{64}$/);
    assert.notEqual(signature, signed(`1.2:${channel}`), "the app cannot sign for it");
    assert.deepEqual(rest, {});
  });

  it("sign a user in", async () => {
    const body = await answer(user, userAuth, { socket_id: "12.34" });
    assert.equal(body.auth, signed(`12.34::user::${body.user_data}`));
    assert.equal(JSON.parse(body.user_data).id, userId);
  });

  it("give other members an opaque id and nothing else", async () => {
    const body = await answer(user, auth, { socket_id: "1.2", channel_name: "presence-chart" });
    assert.deepEqual(Object.keys(JSON.parse(body.channel_data).user_info), ["id"]);
    assert.doesNotMatch(body.channel_data, /ben|example/i);
  });

  /** A request and its refusal. */
  const refusals: {
    what: string;
    path: string;
    fields: Record<string, string>;
    headers?: Record<string, string>;
    signedOut?: boolean;
    status: number;
    reason: string;
  }[] = [
    ...[auth, userAuth].flatMap((path) => [
      {
        what: `${path} without the CSRF token`,
        path,
        fields: { socket_id: "1.2", channel_name: "presence-chart" },
        headers: { "x-csrf-token": "" },
        status: 419,
        reason: "csrf_token_missing",
      },
      {
        what: `${path} with the CSRF token of another browser`,
        path,
        fields: { socket_id: "1.2", channel_name: "presence-chart" },
        headers: { "x-csrf-token": "f".repeat(43) },
        status: 419,
        reason: "csrf_token_mismatch",
      },
      {
        what: `${path} without a session`,
        path,
        fields: { socket_id: "1.2", channel_name: "presence-chart" },
        signedOut: true,
        status: 403,
        reason: "not_signed_in",
      },
      ...["", "1", "1.", "a.b", "1.2:presence-chart", "1.2\n"].map((socketId) => ({
        what: `${path} with the socket id ${JSON.stringify(socketId)}`,
        path,
        fields: { socket_id: socketId, channel_name: "presence-chart" },
        status: 422,
        reason: "invalid_socket_id",
      })),
    ]),
    ...["", "a b", "presence-chart\n", "x".repeat(165), "presence-<b>"].map((channel) => ({
      what: `the channel ${JSON.stringify(channel.slice(0, 20))}`,
      path: auth,
      fields: { socket_id: "1.2", channel_name: channel },
      status: 422,
      reason: "invalid_channel_name",
    })),
    ...["private-rollcall.users.0", "presence-other", "private-x", "chart", "presence-chart.x"].map(
      (
        channel,
      ) => ({
        what: `the channel ${channel}, which is not for this user`,
        path: auth,
        fields: { socket_id: "1.2", channel_name: channel },
        status: 403,
        reason: "channel_refused",
      }),
    ),
  ];

  for (const { what, path, fields, headers, signedOut, status, reason } of refusals) {
    it(`refuse ${what}: ${status} ${reason}`, async () => {
      const visitor = signedOut ? new HttpVisitor(server.origin) : user;
      if (signedOut) await visitor.get("/sign-in");
      const response = await visitor.send("POST", path, new URLSearchParams(fields), {
        "x-csrf-token": visitor.csrfToken,
        ...headers,
      });
      assert.equal(response.status, status);
      assert.match(response.headers.get("content-type") ?? "", /^application\/json/);
      assert.equal(JSON.parse(response.text).reason, reason);
    });
  }

  it("refuse bodies that are too large, malformed or of another type", async () => {
    const send = (body: string, type: string) =>
      user.send("POST", auth, body, { "content-type": type, "x-csrf-token": user.csrfToken });
    assert.equal((await send("x".repeat(70_000), "application/x-www-form-urlencoded")).status, 413);
    assert.equal((await send("{", "application/json")).status, 400);
    assert.equal((await send("[]", "application/json")).status, 400);
    assert.equal((await send("<a/>", "text/xml")).status, 415);
  });

  it("never redirect, whatever the method", async () => {
    for (const method of ["GET", "PUT", "DELETE"]) {
      const { status, headers } = await user.send(method, auth, undefined, {
        "x-csrf-token": user.csrfToken,
      });
      assert.equal(status, 404, method);
      assert.match(headers.get("content-type") ?? "", /json/);
    }
  });
});

describe("guests", () => {
  it("join the presence channel with a signed cookie, if the setting admits guests", async () => {
    await using server = await Rollcall.start({ ADMIT_GUESTS: "true" });
    await moveIn(server);
    const guest = new HttpVisitor(server.origin);
    assert.equal((await guest.get("/")).status, 200);
    const fields = { socket_id: "1.2", channel_name: "presence-chart" };
    const { channel_data: data } = await answer(guest, auth, fields);
    assert.match(JSON.parse(data).user_id, /^guest-[0-9a-f]{32}$/);
    assert.deepEqual(await answer(guest, auth, fields).then((body) => body.channel_data), data);
    const id = JSON.parse(data).user_id;
    const join = async (name: string) =>
      (await post(guest, auth, { socket_id: "1.2", channel_name: name })).status;
    assert.equal(await join(`private-rollcall.users.${id}`), 200);
    assert.equal(await join("private-rollcall.users.guest-1"), 403);
    assert.equal(await join("private-rollcall.online"), 403);

    const [name, value] = [...guest.cookies].find(([, value]) => value.startsWith("guest-")) ?? [];
    assert.ok(name && value);
    const forged = value.replace(
      /^guest-./,
      (start) => start === "guest-0" ? "guest-1" : "guest-0",
    );
    guest.cookies.set(name, forged);
    const { channel_data: other } = await answer(guest, auth, fields);
    assert.notEqual(JSON.parse(other).user_id, id, "a changed cookie makes another guest");
    assert.notEqual(JSON.parse(other).user_id, forged.split(".")[0]);
  });

  it("are refused if the setting does not admit guests", async () => {
    await using server = await Rollcall.start();
    const guest = new HttpVisitor(server.origin);
    await guest.get("/sign-in");
    const fields = { socket_id: "1.2", channel_name: "presence-chart" };
    assert.equal((await post(guest, auth, fields)).status, 403);
  });
});

function post(visitor: HttpVisitor, path: string, fields: Record<string, string>) {
  return visitor.send("POST", path, new URLSearchParams(fields), {
    "x-csrf-token": visitor.csrfToken,
  });
}

async function answer(
  visitor: HttpVisitor,
  path: string,
  fields: Record<string, string>,
): Promise<Record<string, string>> {
  const response = await post(visitor, path, fields);
  assert.equal(response.status, 200, response.text);
  return JSON.parse(response.text);
}

function signed(text: string): string {
  return `${key}:${createHmac("sha256", secret).update(text).digest("hex")}`;
}
