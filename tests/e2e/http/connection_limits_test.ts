import assert from "node:assert/strict";
import { describe, it } from "@std/testing/bdd";
import type { AppConfig } from "@/realtime/server.ts";
import { Rollcall } from "../../fixtures/rollcall.ts";
import { Client } from "../../realtime/harness.ts";

const app: AppConfig = { id: "own", key: "own-app-key", secret: "the-secret-of-our-pages" };

describe("a limit of connections", () => {
  for (const setting of ["MAX_CONNECTIONS", "MAX_CONNECTIONS_PER_ADDRESS"]) {
    it(`${setting}: closes a further connection with 4100`, async () => {
      await using server = await Rollcall.start({
        [setting]: "2",
        APPS: JSON.stringify([app]),
        DRAIN_MS: "0",
      });
      const url = `${server.origin.replace("http", "ws")}/app/${app.key}?protocol=7`;
      const open = () => new Client(new WebSocket(url));
      const clients = [open(), open()];
      for (const client of clients) await client.next("pusher:connection_established");
      assert.equal((await open().closed).code, 4100);
      for (const client of clients) client.close();
      await Promise.all(clients.map(({ closed }) => closed));
    });
  }
});
