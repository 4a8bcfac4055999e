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
