import assert from "node:assert/strict";
import { afterAll, beforeAll } from "@std/testing/bdd";
import { describe, isShortRun, it } from "../../fixtures/long_run.ts";
import { Rollcall } from "../../fixtures/rollcall.ts";
import { withTimeout } from "../../fixtures/with_timeout.ts";
import { HttpVisitor } from "../../fixtures/http_visitor.ts";

describe("deno task start", () => {
  for (const signal of isShortRun ? ["SIGTERM"] as const : ["SIGTERM", "SIGINT"] as const) {
    it(`builds, serves, and ends at ${signal}`, async () => {
      const folder = await Deno.makeTempDir({ prefix: "rollcall-" });
      await using server = await Rollcall.start({}, folder, "tools/start.ts");
      const page = await fetch(`${server.origin}/sign-in`);
      assert.match(await page.text(), /Rollcall/);
      assert.doesNotMatch(server.log, /shims/);
      server.signal(signal);
      assert.equal((await server.ended()).code, 0);
    });
  }

  it.inLongRun("stops once at an interrupt that arrives several times, as of a terminal", async () => {
    const folder = await Deno.makeTempDir({ prefix: "rollcall-" });
    await using server = await Rollcall.start({}, folder, "tools/start.ts");
    server.signal("SIGINT");
    await server.printed(/Stopping/);
    // The first one has ended it already when this process had to wait for its turn.
    const interrupt = () => Promise.try(() => server.signal("SIGINT")).catch(() => {});
    for (let times = 0; times < 3; times++) await interrupt();
    assert.equal((await server.ended()).code, 0);
    assert.equal(server.log.match(/ Stopped /g)?.length, 1, server.log);
    assert.doesNotMatch(server.log, /ERROR/);
  });

  it("ends with one line where a setting keeps it from starting", async () => {
    await using other = await Rollcall.start();
    const port = new URL(other.origin).port;
    const folder = await Deno.makeTempDir({ prefix: "rollcall-" });
    for (
      const [PORT, line, code] of [[port, "is in use", 1], ["x", "whole number", 2]] as const
    ) {
      const started = Rollcall.start({ PORT }, folder, "tools/start.ts");
      await assert.rejects(started, (error: Error) => {
        assert.match(error.message, new RegExp(`ended with code ${code}`));
        assert.ok(error.message.includes(line), error.message);
        return true;
      });
    }
    await Deno.remove(folder, { recursive: true });
  });
});

describe("the stop of a server", () => {
  it("is not delayed by a client that holds back its body", async () => {
    await using server = await Rollcall.start({ DRAIN_MS: "0" });
    using connection = await Deno.connect({
      hostname: "127.0.0.1",
      port: Number(new URL(server.origin).port),
    });
    const request = "POST /sign-in HTTP/1.1\r\nHost: localhost\r\nContent-Length: 100\r\n" +
      "Content-Type: application/x-www-form-urlencoded\r\nExpect: 100-continue\r\n\r\nemail=a";
    await connection.write(new TextEncoder().encode(request));
    // The server asks for the rest, so it is reading the body.
    await connection.read(new Uint8Array(100));
    server.signal("SIGTERM");
    assert.equal((await server.ended()).code, 0);
  });
});

describe("V8's debugger", () => {
  it("is closed again when SIGUSR1 has opened it, and the server goes on", async () => {
    await using server = await Rollcall.start();
    for (const times of [1, 2]) {
      // Deno does not heed the signal in the first moments of a program.
      const signaling = setInterval(() => server.signal("SIGUSR1"), 500);
      await server.printed(new RegExp(`(SIGUSR1 opened the debugger[^]*){${times}}`))
        .finally(() => clearInterval(signaling));
    }
    for (
      const [, port] of server.log.matchAll(/Debugger listening on ws:\/\/127\.0\.0\.1:(\d+)/g)
    ) {
      const connecting = Deno.connect({ hostname: "127.0.0.1", port: Number(port) });
      await assert.rejects(connecting, Deno.errors.ConnectionRefused);
    }
    assert.equal(await (await fetch(`${server.origin}/up`)).text(), "up\n");
  });
});

/** The first line of the answer to a request with this `Upgrade` header. */
async function statusLine(port: number, path: string, upgrade: string): Promise<string> {
  using connection = await Deno.connect({ hostname: "127.0.0.1", port });
  const lines = [
    `GET ${path} HTTP/1.1`,
    "Host: localhost",
    "Connection: Upgrade",
    `Upgrade: ${upgrade}`,
    "Sec-WebSocket-Version: 13",
    "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==",
  ];
  await connection.write(new TextEncoder().encode(`${lines.join("\r\n")}\r\n\r\n`));
  const bytes = new Uint8Array(4_096);
  const length = await withTimeout(connection.read(bytes), "the answer had come");
  return new TextDecoder().decode(bytes.subarray(0, length ?? 0)).split("\r\n")[0];
}

describe("a request to upgrade", () => {
  it("opens a socket at every path, and gets the page for another protocol", async () => {
    await using server = await Rollcall.start();
    const port = Number(new URL(server.origin).port);
    for (const path of ["/app/nobody", "/prefix/app/nobody", "/sign-in", "/nothing"]) {
      assert.match(await statusLine(port, path, "WebSocket"), /^HTTP\/1\.1 101 /, path);
    }
    assert.match(await statusLine(port, "/sign-in", "h2c"), /^HTTP\/1\.1 200 /);
    assert.match(await statusLine(port, "/app/nobody", "h2c"), /^HTTP\/1\.1 400 /);
  });
});

describe("a path of an earlier version", () => {
  let server: Rollcall;
  beforeAll(async () => {
    server = await Rollcall.start();
  });
  afterAll(() => server[Symbol.asyncDispose]());

  const moved = {
    "/admin/log": "/admin/activity",
    "/admin/log?who=ben": "/admin/activity?who=ben",
    "/admin/log/attendance.csv?kind=guest": "/admin/activity/activity.csv?kind=guest",
    "/admin/log/audit": "/admin/activity/admins",
    "/admin/audit?action=user_added": "/admin/activity/admins?action=user_added",
    "/admin/connect?app=1&at=public": "/admin/settings/connect?app=1&at=public",
    "/admin/online/comings": "/admin/online/activity",
    "/admin/users": "/admin/settings/team",
    "/admin/users/42/reset-link?done=made": "/admin/settings/team/42/reset-link?done=made",
  };
  for (const [from, to] of Object.entries(moved)) {
    it(`${from} redirects to ${to}`, async () => {
      const visitor = new HttpVisitor(server.origin);
      const { status, headers } = await visitor.get(from);
      assert.deepEqual([status, headers.get("location")], [308, to]);
    });
  }

  it("leads an open page's form to where it is now, with what was entered", async () => {
    const visitor = new HttpVisitor(server.origin);
    const { status, headers } = await visitor.submit("/admin/users/invites", { email: "a@b.c" });
    assert.deepEqual([status, headers.get("location")], [308, "/admin/settings/team/invites"]);
  });

  it("that has another beginning is none", async () => {
    const visitor = new HttpVisitor(server.origin);
    assert.equal((await visitor.get("/admin/usersonly")).status, 404);
  });
});

describe("the address that a start prints", () => {
  for (const host of ["localhost", "127.0.0.1"]) {
    it.inLongRun(`has the port that the server listens on, for APP_URL=http://${host}`, async () => {
      await using server = await Rollcall.start({ APP_URL: `http://${host}` });
      const { hostname, port } = new URL(server.origin);
      assert.equal(hostname, host);
      assert.notEqual(port, "");
      const setUp = await server.printed(/\S+\/setup\?token=\S+/);
      assert.equal(new URL(setUp[0]).origin, server.origin);
      const answer = await fetch(`http://127.0.0.1:${port}/sign-in`);
      await answer.body?.cancel();
      assert.equal(answer.ok, true);
    });
  }

  for (const given of ["https://who.example", "https://localhost:8443"]) {
    it(`is APP_URL unchanged: ${given}`, async () => {
      await using server = await Rollcall.start({ APP_URL: given });
      assert.equal(server.origin, given);
    });
  }
});

describe.inLongRun("the log of a start", () => {
  it("warns of a setting with a former name, and says the one that it has now", async () => {
    await using server = await Rollcall.start({ ATTENDANCE_DAYS: "7" });
    await server.printed(/Create the first admin/);
    const warned = server.log.split("\n").filter((line) => line.includes("has another name now"));
    assert.equal(warned.length, 1, server.log);
    assert.match(warned[0], /WARN .* setting=ATTENDANCE_DAYS name=ACTIVITY_DAYS/);
  });

  it("names once the fields of Reverb's and Soketi's apps that have no meaning here", async () => {
    const reverb = { app_id: "shop", key: "shop-app-key", secret: "the-secret-of-the-shop" };
    const soketi = { id: "chat", key: "chat-app-key", secret: "the-secret-of-the-chat" };
    const APPS = JSON.stringify([
      { ...reverb, activity_timeout: 30, max_message_size: 10_000 },
      {
        ...soketi,
        maxBackendEventsPerSecond: 100,
        maxConnections: -1,
        enableUserAuthentication: true,
      },
      { ...soketi, id: "blog", key: "blog-app-key", maxBackendEventsPerSecond: 50 },
    ]);
    await using server = await Rollcall.start({ APPS });
    await server.printed(/Create the first admin/);
    const warned = server.log.split("\n").filter((line) =>
      line.includes("Fields of apps are ignored")
    );
    assert.equal(warned.length, 1, server.log);
    assert.match(warned[0], /setting=APPS/);
    assert.match(warned[0], /maxBackendEventsPerSecond/);
    assert.doesNotMatch(warned[0], /maxConnections|app_id|secret/);
  });
});
