import assert from "node:assert/strict";
import { describe, it } from "@std/testing/bdd";
import { Collector } from "../../fixtures/collector.ts";
import { Rollcall } from "../../fixtures/rollcall.ts";
import { EventfulDay, found, settings } from "./eventful_day.ts";

describe("OpenTelemetry", () => {
  it("receives requests, log lines and metrics without secrets when it is on", async () => {
    await using collector = new Collector();
    await using server = await Rollcall.start({ ...settings, ...collector.environment });
    const { secrets } = await EventfulDay.of(server);
    await collector.has("traces", /"url\.path","value":\{"stringValue":"\/sign-out"/);
    await collector.has("logs", /Sign-in refused/);
    assert.equal((await server.stop()).code, 0);
    assert.match(collector.received("metrics"), /http\.server\.request\.duration/);
    const addresses = [
      ...collector.received("traces").matchAll(/"url.full".*?"stringValue":"(.*?)"/g),
    ]
      .map(([, address]) => address);
    assert.ok(addresses.includes(`${server.origin}/setup`), addresses.join("\n"));
    assert.ok(addresses.includes(`${server.origin}/apps/4711/events`));
    assert.doesNotMatch(collector.received(), /url\.query|\?\w+=/);
    assert.match(collector.received("logs"), /"severityText":"WARN"/);
    assert.deepEqual(found(secrets, collector.received()), []);
  });
});
