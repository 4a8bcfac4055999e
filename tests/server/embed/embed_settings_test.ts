import assert from "node:assert/strict";
import fc from "fast-check";
import { describe, it } from "@std/testing/bdd";
import { readEmbedSettings } from "@/server/embed/embed_settings.ts";
import { pagePolicy } from "@/server/embed/embed_page.ts";

const input = { name: "Status page", label: "online", origins: "", readers: "none" };

describe("the settings of an embed", () => {
  it("have origins separated by lines, spaces or commas, each once, without a slash", () => {
    const origins = "https://example.com\n http://127.0.0.1:8080, https://EXAMPLE.com/";
    const read = readEmbedSettings({ ...input, name: " Status page ", origins });
    assert.ok(read.ok);
    assert.deepEqual(read.settings, {
      ...input,
      origins: ["https://example.com", "http://127.0.0.1:8080"],
    });
  });

  const invalid: [field: keyof typeof input, value: string, message: RegExp][] = [
    ["name", " ", /Enter a name/],
    ["name", "x".repeat(101), /At most 100/],
    ["name", "a\u0000b", /control/],
    ["label", "", /Enter a label/],
    ["label", "x".repeat(41), /At most 40/],
    ["label", "on\u202eline", /control/],
    ["label", "on\uffffline", /control/],
    ["origins", "example.com", /example\.com is not an origin such as/],
    ["origins", "https://example.com/path", /is not an origin/],
    ["origins", "https://example.com?", /is not an origin/],
    ["origins", "https://ada@example.com", /is not an origin/],
    ["origins", "https://*.example.com", /is not an origin/],
    ["origins", "*", /is not an origin/],
    ["origins", "'self'", /is not an origin/],
    ["origins", "https://example.com;script-src", /is not an origin/],
    ["origins", "javascript:alert(1)", /is not an origin/],
    [
      "origins",
      Array.from({ length: 21 }, (_, at) => `https://${at}.example`).join(" "),
      /At most 20/,
    ],
    ["readers", "everyone", /Invalid/],
  ];
  for (const [field, value, message] of invalid) {
    it(`are refused with ${field} ${JSON.stringify(value).slice(0, 40)}`, () => {
      const read = readEmbedSettings({ ...input, [field]: value });
      assert.ok(!read.ok);
      assert.equal(read.field, field);
      assert.match(read.message, message);
    });
  }

  it("put nothing but origins into the page's policy", () => {
    const host = fc.string({ unit: fc.constantFrom(..."ab;,'\"* \t\n<>%.:/[]@-_ö") });
    fc.assert(
      fc.property(fc.array(host, { maxLength: 5 }), (hosts) => {
        const read = readEmbedSettings({
          ...input,
          origins: hosts.map((host) => `https://${host}`).join("\n"),
        });
        if (!read.ok) return;
        const policy = pagePolicy(read.settings.origins);
        assert.match(
          policy,
          /; frame-ancestors ('none'|https:\/\/[a-z0-9.:-]+( https:\/\/[a-z0-9.:-]+)*)$/,
        );
      }),
      { numRuns: 500 },
    );
  });
});
