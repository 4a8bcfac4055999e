import { strict as assert } from "node:assert";
import { afterAll, beforeAll, describe, it } from "@std/testing/bdd";
import { AdmittedSocket } from "../../fixtures/admitted_socket.ts";
import { HttpVisitor } from "../../fixtures/http_visitor.ts";
import { ben as benAccount, cleo as cleoAccount, moveIn, userId } from "../../fixtures/people.ts";
import { Rollcall } from "../../fixtures/rollcall.ts";
import { withTimeout } from "../../fixtures/with_timeout.ts";
import { runFlags } from "../../../tools/test/configuration.ts";

const key = "a-key-of-the-tests";
const doraAccount = { ...benAccount, name: "Dora", email: "dora@example.com" };

describe("a request whose body is held back until its sender lost their rights", () => {
  let server: Rollcall;
  let ada: HttpVisitor;
  let ben: HttpVisitor;
  let cleo: HttpVisitor;
  let dora: HttpVisitor;

  beforeAll(async () => {
    server = await Rollcall.start({ PUSHER_APP_KEY: key, PUSHER_APP_SECRET: "s".repeat(20) });
    [ada, ben, cleo] = await moveIn(server);
    await ada.submit("/admin/settings/team", { ...doraAccount, role: "admin" });
    dora = new HttpVisitor(server.origin);
    await dora.signIn(doraAccount);
  });
  afterAll(() => server[Symbol.asyncDispose]());

  it("is refused authorization when the user is disabled", async () => {
    await using socket = await AdmittedSocket.connect(server, key, ben);
    const request = await heldBack(server, ben, "/broadcasting/auth", {
      socket_id: socket.socketId,
      channel_name: "presence-chart",
    });
    await ada.submit(`/admin/settings/team/${await userId(ada, benAccount)}/disable`, {});
    const answer = await request.finish();
    assert.match(answer, /^HTTP\/1\.1 (403|419) /);
    assert.doesNotMatch(answer, /"auth"/);
  });

  it("changes nothing when the admin is disabled", async () => {
    const request = await heldBack(server, dora, "/admin/settings/team", {
      name: "Mallory",
      email: "mallory@example.com",
      password: "long enough password",
      role: "admin",
      confirmed: "yes",
    });
    await ada.submit(`/admin/settings/team/${await userId(ada, doraAccount)}/disable`, {});
    assert.match(await request.finish(), /^HTTP\/1\.1 (303|403|419) /);
    assert.doesNotMatch(
      (await ada.get("/admin/settings/team?q=mallory")).text,
      /mallory@example\.com/,
    );
  });

  it("is refused the admins' channel when the role is lost", async () => {
    await using socket = await AdmittedSocket.connect(server, key, cleo);
    const request = await heldBack(server, cleo, "/broadcasting/auth", {
      socket_id: socket.socketId,
      channel_name: "private-rollcall.online",
    });
    await ada.submit(`/admin/settings/team/${await userId(ada, cleoAccount)}/role`, {
      role: "user",
    });
    const answer = await request.finish();
    assert.match(answer, /^HTTP\/1\.1 (403|419) /);
    assert.doesNotMatch(answer, /"auth"/);
  });
});

/** Sends a form without its last byte; the server has taken up the request when this resolves. */
async function heldBack(
  server: Rollcall,
  visitor: HttpVisitor,
  path: string,
  fields: Record<string, string>,
) {
  const { hostname, port, host } = new URL(server.origin);
  const connection = await Deno.connect({ hostname, port: Number(port) });
  const body = String(new URLSearchParams(fields));
  const cookie = [...visitor.cookies].map(([name, value]) => `${name}=${value}`).join("; ");
  const head = [
    `POST ${path} HTTP/1.1`,
    `Host: ${host}`,
    `Cookie: ${cookie}`,
    `X-CSRF-TOKEN: ${visitor.csrfToken}`,
    "Content-Type: application/x-www-form-urlencoded",
    `Content-Length: ${body.length}`,
    "Connection: close",
  ].join("\r\n");
  const write = (text: string) => connection.write(new TextEncoder().encode(text));
  await write(`${head}\r\n\r\n${body.slice(0, -1)}`);
  // Requests are taken up in the order in which they come.
  await visitor.get("/");
  return {
    async finish(): Promise<string> {
      await write(body.slice(-1));
      const answer = new Response(connection.readable).text();
      return await withTimeout(answer, "the answer had come");
    },
  };
}

it("a request does not wait for 500 of another address that came at once before it", async () => {
  const folder = await Deno.makeTempDir({ prefix: "rollcall-" });
  try {
    const { stdout, stderr } = await new Deno.Command(Deno.execPath(), {
      args: [...runFlags, "-A", "tests/fixtures/burst_at_app.ts"],
      env: { DATA_DIR: folder, NO_COLOR: "1" },
    }).output();
    const decoder = new TextDecoder();
    const found = decoder.decode(stdout).match(/Answered as (\d+) of 501/);
    assert.ok(found, decoder.decode(stderr));
    const place = Number(found[1]);
    assert.ok(place > 0 && place <= 60, `answered as ${place}`);
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
});
