import assert from "node:assert/strict";
import Echo from "laravel-echo";
import type { BuiltApp } from "../built_app.ts";
import { sources, Suite } from "../suite.ts";
import { next, PusherClient } from "../pusher_client.ts";
import type { AppHarness } from "../harness.ts";
import { withTimeout } from "../../fixtures/with_timeout.ts";

export const authRoutes = new Suite("auth-route", "The auth routes of Rollcall's own pages");

const online = "presence-chart";

authRoutes.rule(
  "auth-route.form",
  "`/broadcasting/auth` takes pusher-js's form, `socket_id` and `channel_name`, and answers so that its " +
    "subscription succeeds.",
  sources.authorizingUsers,
  async (harness) => {
    const room = await (await ofPages(harness)).joined(online);
    assert.equal(room.members.count, 1);
  },
);

authRoutes.rule(
  "auth-route.json",
  "It takes the same as JSON.",
  sources.authorizingUsers,
  async ({ server }) => {
    const visitor = await server.visitor();
    const body = JSON.stringify({ socket_id: "1.2", channel_name: online });
    const headers = { "content-type": "application/json", "x-csrf-token": visitor.csrfToken };
    const { status } = await visitor.send("POST", "/broadcasting/auth", body, headers);
    assert.equal(status, 200);
  },
);

authRoutes.rule(
  "auth-route.answers",
  "The answers: `auth` for a private channel, `auth` and `channel_data` for a presence channel, " +
    "`auth` and `user_data` for a sign-in.",
  sources.signatures,
  async (harness) => {
    const socket_id = "1.2";
    const signedIn = await ask(harness, "user-auth", { socket_id });
    assert.deepEqual(Object.keys(signedIn), ["auth", "user_data"]);
    const { id } = JSON.parse(signedIn.user_data);
    const present = await ask(harness, "auth", { socket_id, channel_name: online });
    assert.deepEqual(Object.keys(present), ["auth", "channel_data"]);
    assert.deepEqual(JSON.parse(present.channel_data), { user_id: id, user_info: { id } });
    const channel_name = `private-rollcall.users.${id}`;
    assert.deepEqual(Object.keys(await ask(harness, "auth", { socket_id, channel_name })), [
      "auth",
    ]);
  },
);

authRoutes.rule(
  "auth-route.user",
  "`/broadcasting/user-auth` signs pusher-js in as the visitor.",
  sources.authenticatingUsers,
  async (harness) => {
    const client = await ofPages(harness);
    const subscribed = client.subscribedAsUser();
    client.signin();
    await subscribed;
    const room = await client.joined(online);
    assert.equal(room.members.me.id, client.user.user_data.id);
  },
);

authRoutes.rule(
  "auth-route.refused",
  "A visitor who may not join gets 403 with JSON; pusher-js passes the status to the page's " +
    "handler.",
  sources.authorizingUsers,
  async (harness) => {
    using _fetch = wholeAnswers();
    const client = await ofPages(harness);
    const error = await next<{ status: number }>(
      client.subscribe("private-of-somebody-else"),
      "pusher:subscription_error",
    );
    assert.equal(error.status, 403);
  },
);

authRoutes.rule(
  "auth-route.no-redirect",
  "A visitor who is not signed in gets 403 with JSON, never a redirect to a sign-in page, which " +
    "pusher-js would take for an answer.",
  sources.pusherJs,
  async ({ server }) => {
    for (const route of ["auth", "user-auth"]) {
      const response = await fetch(`${server.origin}/broadcasting/${route}`, {
        method: "POST",
        body: new URLSearchParams({ socket_id: "1.2", channel_name: online }),
        redirect: "manual",
      });
      assert.ok([403, 419].includes(response.status));
      assert.match(response.headers.get("content-type") ?? "", /^application\/json/);
      assert.equal(typeof (await response.json()).reason, "string");
    }
  },
);

authRoutes.rule(
  "auth-route.headers",
  "They require the CSRF token in `X-CSRF-TOKEN`; pusher-js's `headersProvider` is " +
    "called for it at every request.",
  sources.pusherJs,
  async (harness) => {
    let asked = 0;
    const client = await ofPages(harness, () => asked++);
    const channel = await client.joined(online);
    const again = next(channel, "pusher:subscription_succeeded");
    client.disconnect();
    client.connect();
    await again;
    const received = client.attempts.map(({ received }) => received);
    assert.equal(asked, 2, `asked ${asked} times: ${JSON.stringify(received)}`);
  },
);

authRoutes.rule(
  "auth-route.echo",
  "Laravel Echo's `csrfToken`, which it reads when it is created, is sufficient for it.",
  sources.echo,
  async (harness) => {
    const { cookie } = await headersOf(harness.server);
    const { csrfToken } = await harness.server.visitor();
    const echo = new Echo({
      broadcaster: "pusher",
      // Echo's types name the package's own class, of which this is a subclass.
      Pusher: PusherClient as unknown as typeof import("pusher-js"),
      key: harness.server.own.key,
      csrfToken,
      authEndpoint: `${harness.origin}/broadcasting/auth`,
      auth: { headers: { cookie } },
      ...addressOf(harness),
    });
    const here = new Promise<unknown[]>((resolve) => echo.join("chart").here(resolve));
    const members = await withTimeout(here, "Echo had the members");
    echo.disconnect();
    assert.equal(members.length, 1);
  },
);

authRoutes.deviation(
  "auth-route.encrypted",
  "They sign for the channels of Rollcall's own pages, and none of these is encrypted: the " +
    "routes of your application answer with `shared_secret`.",
  sources.encryptedChannels,
);

/** Reads every answer whole: pusher-js leaves the body of a refusal unread, which is a leak here. */
function wholeAnswers(): Disposable {
  const { fetch } = globalThis;
  globalThis.fetch = async (...request) => {
    const response = await fetch(...request);
    return new Response(await response.text(), response);
  };
  return { [Symbol.dispose]: () => void (globalThis.fetch = fetch) };
}

/** A pusher-js client of Rollcall's own pages, authorized over HTTP as a visitor's page is. */
async function ofPages(harness: AppHarness<BuiltApp>, asked = () => {}): Promise<PusherClient> {
  const headers = await headersOf(harness.server);
  const route = (name: string) => ({
    transport: "ajax" as const,
    endpoint: `${harness.origin}/broadcasting/${name}`,
    headersProvider: () => (asked(), headers),
  });
  return await harness.connected({
    key: harness.server.own.key,
    options: { channelAuthorization: route("auth"), userAuthentication: route("user-auth") },
  });
}

/** What a browser and a page's script add to the requests of a visitor. */
async function headersOf(server: BuiltApp): Promise<Record<string, string>> {
  const { cookies, csrfToken } = await server.visitor();
  const cookie = [...cookies].map(([name, value]) => `${name}=${value}`).join("; ");
  return { cookie, "x-csrf-token": csrfToken };
}

/** Where pusher-js finds the server. */
function addressOf({ server }: AppHarness<BuiltApp>) {
  const address = { wsHost: "127.0.0.1", wsPort: server.port, forceTLS: false };
  return { cluster: "self", enabledTransports: ["ws" as const], ...address };
}

/** What an auth route answers to a form. */
async function ask(
  harness: AppHarness<BuiltApp>,
  route: string,
  fields: Record<string, string>,
): Promise<Record<string, string>> {
  const visitor = await harness.server.visitor();
  const { status, text } = await visitor.submit(`/broadcasting/${route}`, fields);
  assert.equal(status, 200, text);
  return JSON.parse(text);
}
