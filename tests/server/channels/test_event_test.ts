import assert from "node:assert/strict";
import { describe, it } from "@std/testing/bdd";
import { takeTestCall, testEventFault } from "@/server/channels/test_event.ts";
import { RealtimeServer } from "@/realtime/server.ts";
import { own, shop } from "./inspected_server.ts";

const realtime = new RealtimeServer({
  apps: [{ ...shop, maxEventBytes: 10, maxApiRequestsPerSecond: 1 }, own],
});
const api = realtime.appApi(shop.id)!;
const event = { channel: "orders", name: "paid", data: "{}" };

describe("a test event", () => {
  it("is checked by the rules of the HTTP API", () => {
    assert.equal(testEventFault(api, event), undefined);
    assert.equal(testEventFault(api, { ...event, channel: "#server-to-user-7" }), undefined);
    for (
      const [changed, field, message] of [
        [{ name: "  " }, "event", /Enter a name\./],
        [{ name: "pusher:error" }, "event", /the protocol's own\./],
        [{ name: "x".repeat(201) }, "event", /200/],
        [{ data: "12345678901" }, "data", /exceeds the allowed maximum \(10 bytes\).*has 11\.$/],
      ] as const
    ) {
      const fault = testEventFault(api, { ...event, ...changed });
      assert.equal(fault?.field, field);
      assert.match(fault!.message, message);
    }
  });

  it("is not for encrypted channels, whose key Rollcall does not have, and not for its own", () => {
    assert.ok(testEventFault(api, { ...event, channel: "private-encrypted-a" }));
    const channel = "private-rollcall.online";
    assert.ok(testEventFault(realtime.appApi(own.id)!, { ...event, channel }));
  });

  it("counts as a call of the app", () => {
    assert.equal(takeTestCall(api), undefined);
    assert.match(takeTestCall(api)!.message, /1 calls a second\.$/);
  });
});
