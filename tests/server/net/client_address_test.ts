import assert from "node:assert/strict";
import { isIP } from "node:net";
import { describe, it } from "@std/testing/bdd";
import fc from "fast-check";
import {
  clientAddress,
  type IpNetwork,
  isPublicAddress,
  isTrusted,
  isWithin,
  parseAddress,
  parseNetwork,
} from "@/server/net/client_address.ts";

const trusted = networks("127.0.0.1", "10.0.0.0/8", "::1", "2001:db8:7::/48");

describe("the address of a client", () => {
  /** The peer, the header, and the expected address. */
  const cases: [peer: string, forwardedFor: string | null, expected: string][] = [
    ["198.51.100.7", null, "198.51.100.7"],
    ["198.51.100.7", "203.0.113.9", "198.51.100.7"],
    ["127.0.0.1", null, "127.0.0.1"],
    ["127.0.0.1", "", "127.0.0.1"],
    ["127.0.0.1", "203.0.113.9", "203.0.113.9"],
    ["127.0.0.1", "192.0.2.1, 203.0.113.9", "203.0.113.9"],
    ["127.0.0.1", "192.0.2.1,203.0.113.9 ,\t10.1.2.3", "203.0.113.9"],
    ["127.0.0.1", "10.9.9.9, 10.1.2.3", "10.9.9.9"],
    ["127.0.0.1", "203.0.113.9:4711", "203.0.113.9"],
    ["127.0.0.1", "[2001:db8::5]:4711", "2001:db8::5"],
    ["127.0.0.1", "[2001:db8::5]", "2001:db8::5"],
    ["127.0.0.1", "2001:DB8:0::5", "2001:db8::5"],
    ["127.0.0.1", "fe80::1%eth0", "fe80::1"],
    ["::ffff:127.0.0.1", "::ffff:203.0.113.9", "203.0.113.9"],
    ["::1", "203.0.113.9, 2001:db8:7::2", "203.0.113.9"],
    ["2001:db8:8::1", "203.0.113.9", "2001:db8:8::1"],
    // An entry that is not an address ends the search.
    ["127.0.0.1", "unknown", "127.0.0.1"],
    ["127.0.0.1", "203.0.113.9, unknown, 10.1.2.3", "10.1.2.3"],
    ["127.0.0.1", "203.0.113.9,", "127.0.0.1"],
    ["127.0.0.1", ",203.0.113.9", "203.0.113.9"],
    ["127.0.0.1", ",", "127.0.0.1"],
    ["127.0.0.1", "203.0.113.9 198.51.100.7", "127.0.0.1"],
    ["127.0.0.1", "0313.0.113.9", "127.0.0.1"],
    ["127.0.0.1", "3405803785", "127.0.0.1"],
    ["127.0.0.1", "2001:db8::5:4711:x", "127.0.0.1"],
    ["127.0.0.1", `${" ".repeat(100)}203.0.113.9`, "127.0.0.1"],
    ["unix", "203.0.113.9", "unix"],
  ];
  for (const [peer, forwardedFor, expected] of cases) {
    it(`is ${expected} for ${peer} with ${JSON.stringify(forwardedFor)}`, () => {
      assert.equal(clientAddress(peer, forwardedFor, trusted), expected);
    });
  }

  it("is the peer when no proxy is trusted", () => {
    assert.equal(clientAddress("127.0.0.1", "203.0.113.9", []), "127.0.0.1");
  });

  it("is found among the last 32 entries, however long the header is", () => {
    const made = Array.from({ length: 100_000 }, (_, index) => `10.0.0.${index % 200}`);
    assert.equal(clientAddress("127.0.0.1", made.join(), trusted), made.at(-32));
  });
});

describe("a peer", () => {
  const cases: [peer: string, isProxy: boolean][] = [
    ["10.255.0.1", true],
    ["::ffff:127.0.0.1", true],
    ["11.0.0.1", false],
    ["2001:db8:8::1", false],
    ["unix", false],
  ];
  for (const [peer, isProxy] of cases) {
    it(`is ${isProxy ? "" : "not "}believed to be a proxy: ${peer}`, () => {
      assert.equal(isTrusted(peer, trusted), isProxy);
    });
  }
});

const address = fc.oneof(fc.ipV4(), fc.ipV6());
const proxy = fc.oneof(
  fc.constantFrom("127.0.0.1", "::1", "::ffff:10.0.0.1"),
  fc.tuple(fc.nat(255), fc.nat(255), fc.nat(255)).map((part) => `10.${part.join(".")}`),
  fc.nat(0xffff).map((group) => `2001:db8:7:${group.toString(16)}::1`),
);
const stranger = address.filter((text) => !isTrusted(text, trusted));

describe("the address of a client that forges the header", () => {
  it("is the one that the first trusted proxy saw", () => {
    const chain = fc.record({
      written: fc.string({ unit: "binary-ascii" }),
      client: stranger,
      proxies: fc.array(proxy, { minLength: 1, maxLength: 20 }),
    });
    fc.assert(fc.property(chain, ({ written, client, proxies }) => {
      const [peer, ...between] = proxies;
      const header = [written, client, ...between].join(", ");
      assert.equal(clientAddress(peer, header, trusted), parseAddress(client)?.toString());
    }));
  });

  it("is the peer when that is not a trusted proxy", () => {
    fc.assert(fc.property(stranger, fc.string(), address, (peer, written, claimed) => {
      const said = clientAddress(peer, `${written},${claimed}`, trusted);
      assert.equal(said, parseAddress(peer)?.toString());
    }));
  });

  it("is the peer's or one of the header's", () => {
    const entry = fc.oneof(
      address,
      proxy,
      fc.string(),
      fc.constantFrom("", " ", "unknown", "[", "::"),
    );
    fc.assert(fc.property(proxy, fc.array(entry), (peer, entries) => {
      const said = clientAddress(peer, entries.join(), trusted);
      assert.notEqual(isIP(said), 0);
      const possible = [peer, ...entries.flatMap((text) => text.split(","))]
        .map((text) => parseAddress(text.trim().replace(/^\[(.*)\](:\d+)?$/, "$1"))?.toString());
      assert.ok(possible.includes(said) || entries.join().includes(said));
    }));
  });
});

describe("a network", () => {
  for (
    const [text, inside, outside] of [
      ["10.0.0.0/8", ["10.0.0.0", "10.255.255.255", "::ffff:10.1.1.1"], ["11.0.0.0", "::a00:1"]],
      ["10.1.2.3/8", ["10.200.0.1"], ["9.255.255.255"]],
      ["192.0.2.1", ["192.0.2.1"], ["192.0.2.0", "192.0.2.2"]],
      ["::1", ["::1", "0:0::1"], ["::", "127.0.0.1"]],
      ["2001:db8::/33", ["2001:db8:7fff::1"], ["2001:db8:8000::1"]],
      ["::ffff:10.0.0.0/104", ["10.7.7.7"], ["11.0.0.0"]],
    ] as const
  ) {
    it(`contains exactly its own addresses: ${text}`, () => {
      const network = networks(text);
      for (const one of inside) assert.ok(isWithin(addressOf(one), network), one);
      for (const one of outside) assert.ok(!isWithin(addressOf(one), network), one);
    });
  }

  it("cannot be read from any other text", () => {
    for (
      const text of [
        "",
        "10",
        "10/8",
        "10.0.0.0/33",
        "::/129",
        "::ffff:10.0.0.0/95",
        "10.0.0.0/",
        "a",
      ]
    ) {
      assert.equal(parseNetwork(text), null, text);
    }
  });
});

function networks(...texts: string[]): IpNetwork[] {
  return texts.map((text) => {
    const network = parseNetwork(text);
    assert.ok(network, text);
    return network;
  });
}

function addressOf(text: string) {
  const parsed = parseAddress(text);
  assert.ok(parsed, text);
  return parsed;
}

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
