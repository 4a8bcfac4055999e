import assert from "node:assert/strict";
import { describe, it } from "@std/testing/bdd";
import { moveIn } from "../fixtures/people.ts";
import { Rollcall } from "../fixtures/rollcall.ts";

const warning = /A request came through a proxy that is not in TRUSTED_PROXIES/g;
const notice = /through a proxy that isn(?:'|&#39;|&#x27;)t in TRUSTED_PROXIES/;

for (
  const [header, value] of [
    ["x-forwarded-for", "203.0.113.9"],
    ["forwarded", "for=203.0.113.9"],
    ["via", "1.1 proxy"],
  ]
) {
  describe(`a proxy that sends ${header} and is not trusted`, () => {
    it("is named once in the log, and on the settings page", async () => {
      await using server = await Rollcall.start();
      const [ada] = await moveIn(server);
      assert.doesNotMatch((await ada.get("/admin/settings/server")).text, notice);
      assert.doesNotMatch(server.log, warning);
      for (let n = 0; n < 3; n++) await ada.get("/", { [header]: value });
      const { text } = await ada.get("/admin/settings/server");
      assert.match(text, notice);
      assert.match(text, /127\.0\.0\.1/);
      await server.stop();
      assert.equal(server.log.match(warning)?.length, 1);
      assert.match(server.log, /not in TRUSTED_PROXIES.* peer=127\.0\.0\.1/);
    });
  });
}

describe("a proxy that is trusted", () => {
  it("is not named", async () => {
    await using server = await Rollcall.start({ TRUSTED_PROXIES: "127.0.0.1" });
    const [ada] = await moveIn(server);
    await ada.get("/", { "x-forwarded-for": "203.0.113.9" });
    assert.doesNotMatch((await ada.get("/admin/settings/server")).text, notice);
    assert.doesNotMatch(server.log, warning);
  });
});
