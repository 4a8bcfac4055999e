import assert from "node:assert/strict";
import { describe, it } from "@std/testing/bdd";
import fc from "fast-check";
import { maxPathLength, reportedPage } from "@/realtime/protocol/incoming.ts";

const pathOf = (path: unknown) => reportedPage.safeParse({ path }).data?.path;

describe("A reported page", () => {
  it("is a path without its query and fragment", () => {
    assert.equal(pathOf("/orders/7?token=secret#top"), "/orders/7");
    assert.equal(pathOf("/orders#a?b"), "/orders");
    assert.equal(pathOf("/?q"), "/");
  });

  it("is refused unless it is a path of printable characters", () => {
    const refused = [
      "",
      "orders",
      "https://example.com/",
      "?q=1",
      "/a\nb",
      "/a\u0000",
      "/\u202e",
      7,
      null,
    ];
    for (const path of [...refused, "/\ud800"]) assert.equal(pathOf(path), undefined, String(path));
  });

  it("is cut to its maximum length, in whole characters", () => {
    assert.equal(pathOf(`/${"🦊".repeat(300)}`), `/${"🦊".repeat(maxPathLength - 1)}`);
  });

  it("has a known kind of device, or none", () => {
    const deviceOf = (device: unknown) => reportedPage.safeParse({ path: "/", device }).data;
    assert.deepEqual(deviceOf("tablet"), { path: "/", device: "tablet" });
    assert.equal(deviceOf(null)?.device, undefined);
    assert.equal(deviceOf("toaster"), undefined);
  });

  it("never has a query, a control character or too many characters, whatever is sent", () => {
    const characters = [
      "/",
      "a",
      "?",
      "#",
      "\n",
      "\u007f",
      "\u2028",
      "\u202e",
      "é",
      "🦊",
      "\ud800",
    ];
    const sent = fc.array(fc.constantFrom("x".repeat(99), ...characters), { maxLength: 8 })
      .map((parts) => `/${parts.join("")}`);
    fc.assert(fc.property(sent, (path) => {
      const read = pathOf(path);
      if (read === undefined) return;
      assert.match(read, /^\/[^?#\p{Cc}\u2028-\u202e]*$/u);
      assert.ok(Array.from(read).length <= maxPathLength);
    }));
  });
});
