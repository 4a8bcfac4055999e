import assert from "node:assert/strict";
import { sources, Suite } from "../suite.ts";
import { next } from "../pusher_client.ts";
import { AppHarness } from "../harness.ts";

export const signingIn = new Suite("sign-in", "Signing in, and events for users");

signingIn.rule(
  "sign-in.success",
  "`pusher:signin` with the auth route's answer is answered with `pusher:signin_success` and the " +
    "same `user_data`.",
  sources.userAuthentication,
  async (harness) => {
    const client = await harness.signedIn({ userId: "ann" });
    const [sent] = client.socket.sent;
    const [{ data }] = client.received("pusher:signin_success");
    assert.equal(sent.event, "pusher:signin");
    assert.deepEqual(JSON.parse(data), { user_data: sent.data.user_data });
    assert.equal(client.user.user_data.id, "ann");
  },
);

signingIn.rule(
  "sign-in.channel",
  "The client then subscribes to `#server-to-user-ID`, which needs no signature.",
  sources.serverToUser,
  async (harness) => {
    const client = await harness.signedIn({ userId: "ann" });
    const data = { auth: "", channel: "#server-to-user-ann" };
    assert.deepEqual(client.socket.sent.at(-1), { event: "pusher:subscribe", data });
  },
);

signingIn.rule(
  "sign-in.forged",
  "A wrong signature is answered with `pusher:error`; the connection is not signed in.",
  sources.signatures,
  async (harness) => {
    const client = await harness.connected({ signs: false });
    client.signin();
    await next(client.connection, "error");
    await client.settled();
    const [{ data }] = client.received("pusher:error");
    assert.equal(data.code, null);
    assert.match(data.message, /^Invalid signature.*::user::/);
    assert.deepEqual(client.received("pusher:signin_success"), []);
    client.send_event("pusher:subscribe", { channel: "#server-to-user-ann" });
    await client.settled();
    assert.equal(client.received("pusher:error").length, 2);
  },
);

signingIn.rule(
  "sign-in.id",
  "The `id` in `user_data` is a non-empty string, or an integer, as Laravel's library signs it: it " +
    "is answered as its decimal text, because pusher-js takes no number.",
  sources.authenticatingUsers,
  async (harness) => {
    const bare = await harness.bare();
    const { key, secret } = harness.app;
    const { Token } = Object.getPrototypeOf(harness.library()).constructor;
    const token = new Token(key, secret);
    for (const user_data of ['{"id":""}', '{"id":7.5}', "{}", "7", "no JSON"]) {
      const auth = `${key}:${token.sign(`${bare.socketId}::user::${user_data}`)}`;
      bare.send("pusher:signin", { auth, user_data });
    }
    const events = (await bare.settled()).map(({ event }) => event);
    assert.deepEqual(events, Array(5).fill("pusher:error"));
    const user_data = '{"id":7}';
    const auth = `${key}:${token.sign(`${bare.socketId}::user::${user_data}`)}`;
    bare.send("pusher:signin", { auth, user_data });
    const [{ event, data }] = await bare.settled();
    assert.deepEqual([event, data.user_data], ["pusher:signin_success", '{"id":"7"}']);
    const client = await harness.signedIn({
      options: {
        userAuthentication: {
          endpoint: "",
          transport: "ajax",
          customHandler: ({ socketId }, answer) => {
            const signature = token.sign(`${socketId}::user::${user_data}`);
            answer(null, { auth: `${key}:${signature}`, user_data });
          },
        },
      },
    });
    assert.equal(client.user.user_data.id, "7");
    const greeted = next(client.user, "greeting");
    await harness.library().sendToUser("7", "greeting", {});
    await greeted;
  },
);

signingIn.rule(
  "sign-in.one-user",
  "A connection signs in as one user: a repetition succeeds, another user is refused.",
  sources.userAuthentication,
  async (harness) => {
    const bare = await harness.bare();
    for (const id of ["ann", "ann", "bob"]) {
      bare.send("pusher:signin", harness.library().authenticateUser(bare.socketId, { id }));
    }
    const frames = await bare.settled();
    const success = "pusher:signin_success";
    assert.deepEqual(frames.map(({ event }) => event), [success, success, "pusher:error"]);
    assert.match(frames[2].data.message, /another user/);
  },
);

signingIn.rule(
  "sign-in.again",
  "A client that reconnects signs in again.",
  sources.userAuthentication,
  async (harness) => {
    const client = await harness.signedIn({ userId: "ann" });
    client.disconnect();
    client.connect();
    await client.subscribedAsUser();
    const heard = next(client.user, "mail");
    await harness.library().sendToUser("ann", "mail", { n: 1 });
    assert.deepEqual(await heard, { n: 1 });
  },
);

signingIn.rule(
  "sign-in.send-to-user",
  "An event for a user reaches every connection that signed in as it, and no other.",
  sources.serverToUser,
  async (harness) => {
    const clients = [
      await harness.signedIn({ userId: "ann" }),
      await harness.signedIn({ userId: "ann" }),
      await harness.signedIn({ userId: "bob" }),
    ];
    const heard: string[] = [];
    clients.forEach(({ user }, index) => user.bind("mail", () => heard.push(`mail at ${index}`)));
    await harness.library().sendToUser("ann", "mail", {});
    await harness.library().sendToUser("nobody", "mail", {});
    for (const client of clients) await client.settled();
    assert.deepEqual(heard.toSorted(), ["mail at 0", "mail at 1"]);
    assert.deepEqual(clients[2].received("mail"), []);
  },
);

signingIn.rule(
  "sign-in.terminate",
  "Terminating a user closes with 4009 the connections that signed in as it or joined a presence " +
    "channel as it, and no others.",
  sources.terminating,
  async (harness) => {
    const [ann, bob] = [
      await harness.signedIn({ userId: "ann" }),
      await harness.signedIn({ userId: "bob" }),
    ];
    const member = await harness.connected({ userId: "ann" });
    await member.joined("presence-a");
    const sockets = [ann.socket, member.socket];
    const answer = await harness.library().terminateUserConnections("ann");
    assert.deepEqual(await answer.json(), {});
    for (const socket of sockets) assert.equal((await socket.closed).code, 4009);
    await bob.settled();
  },
);

signingIn.rule(
  "sign-in.authorized-connections",
  "An app may set a join timeout: a connection that has neither signed in nor joined a private " +
    "or presence channel by then is closed with 4009.",
  sources.authorizedConnections,
  async () => {
    await using harness = await AppHarness.alone({ clockIsStopped: true }, {
      joinTimeoutMs: 20_000,
    });
    const [onPrivate, onPresence] = [await harness.connected(), await harness.connected()];
    await onPrivate.joined("private-a");
    await onPresence.joined("presence-a");
    const staying = [onPrivate, onPresence, await harness.signedIn({ userId: "ann" })];
    const onPublic = await harness.connected();
    await onPublic.joined("news");
    const { socket } = onPublic;
    await harness.server.advance(19_999);
    await onPublic.settled();
    await harness.server.advance(1);
    assert.equal((await socket.closed).code, 4009);
    for (const client of staying) await client.settled();
  },
);
