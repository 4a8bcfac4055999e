import assert from "node:assert/strict";
import { describe, it } from "@std/testing/bdd";
import { App } from "fresh";
import { parseConfig } from "@/server/config/config.ts";
import { securityHeaders } from "@/http/security_headers.ts";
import type { State } from "@/http/state.ts";

async function transportSecurity(appUrl: string, address: string): Promise<string | null> {
  const app = new App<State>().use(securityHeaders(parseConfig({ APP_URL: appUrl })))
    .get("/", (ctx) => ctx.text("a page"));
  const { headers } = await app.handler()(new Request(address));
  return headers.get("strict-transport-security");
}

describe("the header Strict-Transport-Security", () => {
  it("is sent for a year under https, also when a proxy ends it", async () => {
    const sent = await transportSecurity(
      "https://rollcall.example.com",
      "http://rollcall.example.com/",
    );
    assert.equal(sent, "max-age=31536000");
  });

  it("is not sent under http, nor for localhost", async () => {
    assert.equal(await transportSecurity("http://rollcall.lan", "http://rollcall.lan/"), null);
    assert.equal(
      await transportSecurity("https://localhost:8443", "https://localhost:8443/"),
      null,
    );
  });
});
