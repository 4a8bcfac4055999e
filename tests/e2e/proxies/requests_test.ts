import assert from "node:assert/strict";
import { Agent } from "node:https";
import { afterAll, beforeAll, describe, it } from "@std/testing/bdd";
import PusherServer from "pusher";
import { eventually } from "../../fixtures/eventually.ts";
import { HttpVisitor } from "../../fixtures/http_visitor.ts";
import { keepPort } from "../../fixtures/reserved_port.ts";
import { Rollcall } from "../../fixtures/rollcall.ts";
import { withTimeout } from "../../fixtures/with_timeout.ts";
import { app, type Client } from "../../realtime/harness.ts";
import { Proxies, socketThrough } from "./proxies.ts";
import type { Proxy } from "./proxy.ts";

/** A secret in addresses, which logs must not contain. */
const token = "a-token-that-nobody-may-read";

/** Limits of an address: wrong passwords a minute, and open WebSockets. */
const [guessLimit, socketLimit] = [10, 5];

describe("requests through nginx, Apache and Caddy", () => {
  let server: Rollcall;
  let proxies: Proxies;
  let client: Deno.HttpClient;
  let other: Deno.HttpClient;

  beforeAll(async () => {
    server = await Rollcall.start({
      APP_URL: "https://localhost",
      TRUSTED_PROXIES: "127.0.0.1",
      PUSHER_APP_ID: app.id,
      PUSHER_APP_KEY: app.key,
      PUSHER_APP_SECRET: app.secret,
      MAX_CONNECTIONS_PER_ADDRESS: String(socketLimit),
      DRAIN_MS: "0",
    });
    proxies = await Proxies.before(Number(new URL(server.origin).port), {
      Caddy: [["lb_try_duration 5s", "lb_try_duration 250ms"]],
    });
    client = proxies.clientAt("127.0.0.2");
    other = proxies.clientAt("127.0.0.3");
  });
  afterAll(async () => {
    client?.close();
    other?.close();
    await proxies?.[Symbol.asyncDispose]();
    await server[Symbol.asyncDispose]();
  });

  it("are limited in their sign-in attempts by the address of the client", async () => {
    const throughEach = (by: Deno.HttpClient, count: number) =>
      proxies.all.map(({ origin }, index) => guesses(origin, by, `${count}.${index}`, count));
    const spread = [4, 3, 3].map((count, index) =>
      guesses(proxies.all[index].origin, client, `spread.${index}`, count)
    );
    assert.deepEqual((await Promise.all(spread)).flat(), Array(guessLimit).fill(422));
    assert.deepEqual((await Promise.all(throughEach(client, 1))).flat(), [429, 429, 429]);
    assert.deepEqual((await Promise.all(throughEach(other, 1))).flat(), [422, 422, 422]);
  });

  it("cannot forge the address of the client when they bypass the proxy", async () => {
    using stranger = proxies.clientAt("127.0.0.4");
    const direct = `http://127.0.0.1:${new URL(server.origin).port}`;
    assert.deepEqual(await guesses(direct, stranger, "direct", 1, "127.0.0.2"), [422]);
  });

  it("are limited in their open WebSockets by the address of the client", async () => {
    for (const proxy of proxies.all) {
      const sockets = Array.from(
        { length: socketLimit },
        () => socketThrough(proxy, app.key, client),
      );
      for (const socket of sockets) await socket.next("pusher:connection_established");
      const { closed } = socketThrough(proxy, app.key, client);
      assert.equal((await withTimeout(closed, "one too many is closed")).code, 4100);
      const admitted = socketThrough(proxy, app.key, other);
      await admitted.next("pusher:connection_established");
      await closeAll([...sockets, admitted]);
    }
  });

  it("are redirected from http to https", async () => {
    for (const { kind, plainOrigin } of proxies.all) {
      const answer = await new HttpVisitor(plainOrigin).get("/wallboard/a?b=c");
      assert.ok([301, 308].includes(answer.status), kind.name);
      assert.equal(answer.headers.get("location"), "https://localhost/wallboard/a?b=c");
    }
  });

  it("reach /up", async () => {
    for (const { kind, origin } of proxies.all) {
      const { status, text } = await new HttpVisitor(origin, client).get("/up");
      assert.deepEqual([status, text], [200, "up\n"], kind.name);
    }
  });

  describe("to the HTTP API", () => {
    it("have a valid signature for all names in their paths", async () => {
      for (const proxy of proxies.all) {
        const socket = socketThrough(proxy, app.key, client);
        await socket.next("pusher:connection_established");
        const channel = "a_-=@,.;b";
        socket.subscribe(channel);
        await socket.next("pusher_internal:subscription_succeeded");
        using library = new Library(proxy, proxies.authority);
        await library.pusher.trigger(channel, "update", { text: "hé 💚 +&=%" });
        assert.deepEqual((await socket.next("update")).data, { text: "hé 💚 +&=%" });
        const found = await library.pusher.get({ path: `/channels/${channel}` });
        assert.equal((await found.json()).occupied, true);
        for (const id of ["50% & more/?", "ä//ö", "a+b"].map(encodeURIComponent)) {
          await library.pusher.terminateUserConnections(id);
        }
        await closeAll([socket]);
      }
    });

    it("can have ten escaped events of 10 KB; Rollcall refuses larger ones", async () => {
      // Six bytes each in JSON.
      const data = "\u0001".repeat(10_240);
      const batch = Array.from({ length: 10 }, () => ({ channel: "a", name: "e", data }));
      for (const proxy of proxies.all) {
        using library = new Library(proxy, proxies.authority);
        assert.deepEqual(await (await library.pusher.triggerBatch(batch)).json(), {});
        const tooMuch = library.pusher.trigger("a", "e", "x".repeat(1_500_000));
        const refused = await tooMuch.catch((error) => error);
        assert.equal(refused.status, 413, proxy.kind.name);
        assert.equal(JSON.parse(refused.body).reason, "too_large");
      }
    });
  });

  it("leave no secret of their addresses in the logs, also while the server is stopped", async () => {
    const links = ["wallboard", "invite", "reset-password"].map((name) => `/${name}/${token}`);
    const paths = [...links, `/wallboard/${token}?b=${token}`, `/setup?token=${token}`, "/up"];
    const ask = (expected: number[]) =>
      Promise.all(proxies.all.flatMap((proxy) =>
        paths.map(async (path) => {
          await new HttpVisitor(proxy.plainOrigin).get(path);
          const { status } = await new HttpVisitor(proxy.origin, client).get(path);
          assert.ok(expected.includes(status), `${proxy.kind.name}: ${path} ${status}`);
        })
      ));
    await ask([200, 403, 404]);
    await keepPort(Number(new URL(server.origin).port));
    await server.stop();
    await ask([502, 503]);
    for (const proxy of proxies.all) {
      const unavailable = /\/up\b.* 50[23]\b|\/up\b.*"status":502/;
      // A proxy may write the line after its answer.
      const log = await eventually(async () => {
        const log = await proxy.log();
        return unavailable.test(log) ? log : undefined;
      }, `${proxy.kind.name} had logged ${unavailable}`);
      assert.match(log, /\/up\b.* 200\b|\/up\b.*"status":200/);
      assert.doesNotMatch(log, new RegExp(`${token}|auth_signature`));
    }
  });

  /** Signs in with wrong passwords and forged addresses. @returns the statuses. */
  async function guesses(
    origin: string,
    by: Deno.HttpClient,
    name: string,
    count: number,
    claimed = "203.0.113.",
  ): Promise<number[]> {
    const visitor = new HttpVisitor(origin, by);
    await visitor.get("/sign-in");
    return await Promise.all(Array.from({ length: count }, async (_, number) => {
      const email = `${number}@${name}.example`;
      const form = new URLSearchParams({ _token: visitor.csrfToken, email, password: "a guess" });
      const forwardedFor = claimed.endsWith(".") ? claimed + number : claimed;
      const headers = { accept: "text/html", "x-forwarded-for": forwardedFor };
      return (await visitor.send("POST", "/sign-in", form, headers)).status;
    }));
  }
});

async function closeAll(sockets: Client[]): Promise<void> {
  for (const socket of sockets) socket.close();
  await withTimeout(Promise.all(sockets.map(({ closed }) => closed)), "all sockets are closed");
}

/** Pusher's server library, through a proxy. */
class Library implements Disposable {
  readonly #agent: Agent;
  readonly pusher: PusherServer;

  constructor({ origin }: Proxy, ca: string) {
    this.#agent = new Agent({ ca });
    const { id: appId, key, secret } = app;
    const { hostname: host, port } = new URL(origin);
    this.pusher = new PusherServer({
      appId,
      key,
      secret,
      host,
      port,
      useTLS: true,
      agent: this.#agent,
    });
  }

  [Symbol.dispose](): void {
    this.#agent.destroy();
  }
}
