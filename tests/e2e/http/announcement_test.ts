import { strict as assert } from "node:assert";
import { describe, it } from "@std/testing/bdd";
import { Rollcall } from "../../fixtures/rollcall.ts";

describe("the address that a start prints", () => {
  for (const host of ["localhost", "127.0.0.1"]) {
    it(`has the port that the server listens on, for APP_URL=http://${host}`, async () => {
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

describe("the log of a start", () => {
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
