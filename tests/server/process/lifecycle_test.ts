import assert from "node:assert/strict";
import { describe, it } from "@std/testing/bdd";
import { pagesOrigin } from "@/server/process/lifecycle.ts";

describe("the address of the pages on the console", () => {
  const origin = (appUrl: string, hasCertificate = false) =>
    pagesOrigin(new URL(appUrl), hasCertificate, 8000);

  it("has the port of the server where APP_URL is this machine and states none", () => {
    assert.equal(origin("http://localhost"), "http://localhost:8000");
    assert.equal(origin("https://127.0.0.1", true), "https://127.0.0.1:8000");
  });

  it("is APP_URL where a proxy is in front", () => {
    assert.equal(origin("https://localhost"), "https://localhost");
    assert.equal(origin("http://localhost:8080"), "http://localhost:8080");
    assert.equal(origin("https://rollcall.example.com"), "https://rollcall.example.com");
  });
});
