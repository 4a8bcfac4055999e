import assert from "node:assert/strict";
import { describe, it } from "@std/testing/bdd";
import { parseConfig } from "@/server/config/config.ts";
import { publicOrigin } from "@/http/request.ts";

const sentTo = new URL("http://192.0.2.1:8000/admin/settings/wallboards");

describe("the origin of links that are passed on", () => {
  it("is the origin of APP_URL, whatever the Host header is", () => {
    const config = parseConfig({ APP_URL: "https://rollcall.example.com/below" });
    assert.equal(publicOrigin(config, sentTo), "https://rollcall.example.com");
  });

  it("is where the request was sent to when APP_URL is not given", () => {
    assert.equal(publicOrigin(parseConfig({}), sentTo), "http://192.0.2.1:8000");
  });

  it("is https behind a proxy when APP_URL is https://localhost", () => {
    const config = parseConfig({ APP_URL: "https://localhost:8443" });
    assert.equal(publicOrigin(config, sentTo), "https://192.0.2.1:8000");
  });
});
