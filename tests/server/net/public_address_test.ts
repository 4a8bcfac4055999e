import assert from "node:assert/strict";
import { describe, it } from "@std/testing/bdd";
import { isPublicAddress, parseAddress, parseNetwork } from "@/server/net/client_address.ts";

const publicAddresses = ["8.8.8.8", "2606:4700::1111", "::ffff:8.8.8.8"];
const otherAddresses = [
  "127.0.0.1",
  "127.9.9.9",
  "0.0.0.0",
  "10.0.0.1",
  "172.16.0.1",
  "192.168.1.1",
  "100.64.0.1",
  "169.254.169.254",
  "168.63.129.16",
  "224.0.0.1",
  "255.255.255.255",
  "240.0.0.1",
  "::1",
  "::",
  "fe80::1",
  "fd00:ec2::254",
  "ff02::1",
  "::ffff:127.0.0.1",
  "::127.0.0.1",
  "64:ff9b::7f00:1",
  "2002:7f00:1::1",
  "2001::1",
  "4000::1",
];

describe("an address", () => {
  for (const address of publicAddresses) {
    it(`such as ${address} is public`, () => {
      assert(isPublicAddress(parseAddress(address)!));
    });
  }

  for (const address of otherAddresses) {
    it(`such as ${address} is not public`, () => {
      assert(!isPublicAddress(parseAddress(address)!));
    });
  }

  it("in an allowed network counts as public, and those beside it do not", () => {
    const allowed = [parseNetwork("10.1.0.0/16")!, parseNetwork("::1")!];
    assert(isPublicAddress(parseAddress("10.1.2.3")!, allowed));
    assert(isPublicAddress(parseAddress("::1")!, allowed));
    assert(!isPublicAddress(parseAddress("10.2.2.3")!, allowed));
  });

  it("of this machine is not public, unless its network is allowed", () => {
    const own = ["93.184.216.34", "2606:2800:0220:1::34"];
    for (const text of [...own, "::ffff:93.184.216.34", "2606:2800:220:1:0::34"]) {
      const address = parseAddress(text)!;
      assert(isPublicAddress(address));
      assert(!isPublicAddress(address, [], own), text);
    }
    assert(isPublicAddress(parseAddress(own[0])!, [parseNetwork("93.184.216.34")!], own));
    assert(isPublicAddress(parseAddress("93.184.216.35")!, [], own));
  });
});
