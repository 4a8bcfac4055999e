import assert from "node:assert/strict";
import { afterAll, beforeAll, describe, it } from "@std/testing/bdd";
import { type Faults, FaultyProxy, isUpgrade, removeHeader } from "../../fixtures/faulty_proxy.ts";
import type { HttpVisitor } from "../../fixtures/http_visitor.ts";
import { moveInWithForms } from "../../fixtures/people.ts";
import { Rollcall } from "../../fixtures/rollcall.ts";

const path = "/admin/settings/check";
const secrets = { APP_KEY: "k".repeat(32), PUSHER_APP_SECRET: "s".repeat(32) };

describe("the check of the public address", () => {
  let server: Rollcall;
  let proxy: FaultyProxy;
  let ada: HttpVisitor;
  let upgrades = 0;
  const faults: Faults = {
    request(head) {
      if (!isUpgrade(head)) return;
      upgrades++;
      removeHeader(head, "upgrade");
    },
  };

  beforeAll(async () => {
    proxy = await FaultyProxy.to("http://127.0.0.1:1", faults);
    server = await Rollcall.start({ APP_URL: proxy.origin, ...secrets });
    proxy.target = await server.listening();
    [ada] = await moveInWithForms(server, "user");
  });
  afterAll(async () => {
    await server[Symbol.asyncDispose]();
    await proxy[Symbol.asyncDispose]();
  });

  it("has no report until an admin runs it", async () => {
    const { text } = await ada.get(path);
    assert.ok(text.includes(proxy.origin));
    assert.doesNotMatch(text, /Skipped/);
  });

  it("runs once at a time, and shows its report to every admin", async () => {
    const answers = await Promise.all([ada.submit(path, {}), ada.submit(path, {})]);
    for (const { status, headers } of answers) {
      assert.deepEqual([status, headers.get("location")], [303, path]);
    }
    assert.equal(upgrades, 1);
    const { text } = await ada.get(path);
    assert.match(text, /role="alert"[^>]*>1 of 13 checks failed: WebSocket\./);
    assert.match(text, /WebSocket<\/h3><\/th><td><span[^>]*>Failed</);
    assert.match(
      text,
      /How to fix<\/h4><p>Configure the proxy, CDN or firewall in between to forward Upgrade\.<\/p><p>nginx: <code>proxy_http_version 1\.1;/,
    );
    assert.match(text, /Event delivery<\/h3><\/th><td><span[^>]*>Skipped</);
    assert.match((await ada.get("/admin/settings/server")).text, /1 of 13 checks failed/);
    for (const secret of Object.values(secrets)) assert.ok(!text.includes(secret));
  });

  it("has its report in the language of its reader, whatever it was run in", async () => {
    const { text } = await ada.get(path, { "accept-language": "de" });
    assert.match(text, /role="alert"[^>]*>1 von 13 Prüfungen fehlgeschlagen: WebSocket\./);
    assert.match(
      text,
      /<p>Stellen Sie den Proxy, das CDN oder die Firewall dazwischen so ein, dass Upgrade/,
    );
    assert.match(text, /Zustellung von Ereignissen<\/h3>/);
  });

  it("passes every step once the proxy is mended", async () => {
    delete faults.request;
    await ada.submit(path, {});
    const { text } = await ada.get(path);
    assert.match(text, /role="status"[^>]*>Everything works\./);
    assert.doesNotMatch(text, /How to fix/);
    assert.doesNotMatch(server.log, /broadcasting\/check/, "the log has nothing of it");
  });
});
