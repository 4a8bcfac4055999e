import assert from "node:assert/strict";
import { describe, it } from "@std/testing/bdd";
import { rateLimitKey } from "@/server/net/window_limits.ts";
import { Harness } from "../../realtime/harness.ts";

/** A server that takes the clients' addresses from a list. */
class HarnessOfAddresses extends Harness {
  readonly addresses: string[] = [];

  override answer(request: Request): Response | Promise<Response> {
    return this.realtime.upgrade(request, rateLimitKey(this.addresses.shift() ?? ""));
  }
}

describe("the rate limit key", () => {
  for (
    const [address, network] of [
      ["192.0.2.1", "192.0.2.1"],
      ["::ffff:192.0.2.1", "192.0.2.1"],
      ["::FFFF:192.0.2.1", "192.0.2.1"],
      ["::1", "0000:0000:0000:0000:0000:0000:0000:0000"],
      ["2001:db8:1:2:3:4:5:6", "2001:0db8:0001:0002:0000:0000:0000:0000"],
      ["2001:DB8:1:2::", "2001:0db8:0001:0002:0000:0000:0000:0000"],
      ["2001:db8::192.0.2.1", "2001:0db8:0000:0000:0000:0000:0000:0000"],
      ["fe80::1%eth0", "fe80:0000:0000:0000:0000:0000:0000:0000"],
      ["", "0.0.0.0"],
      ["localhost", "0.0.0.0"],
      ["192.0.2.1, 192.0.2.2", "0.0.0.0"],
      ["/run/rollcall.sock", "0.0.0.0"],
    ]
  ) {
    it(`is ${network} for "${address}"`, () => assert.equal(rateLimitKey(address), network));
  }

  it("is the same for each spelling of an address", () => {
    const network = rateLimitKey("2001:db8:1:2:3:4:5:6");
    assert.equal(rateLimitKey(network), network);
  });

  it("makes the limit per address count an IPv6 /64 network as one address", async () => {
    await using harness = new HarnessOfAddresses({ maxConnectionsPerAddress: 2 });
    harness.addresses.push("2001:db8:1:2::3", "2001:db8:1:2:ffff::4", "2001:db8:1:2::5");
    await harness.connect();
    await harness.connect();
    assert.equal((await harness.open().closed).code, 4100);
    harness.addresses.push("2001:db8:1:3::3");
    await harness.connect();
  });
});
