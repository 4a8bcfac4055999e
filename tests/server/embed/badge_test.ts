import assert from "node:assert/strict";
import fc from "fast-check";
import { describe, it } from "@std/testing/bdd";
import { badge, type EmbedTheme, textWidth } from "@/server/embed/badge.ts";

/** The number in an attribute of the first element of a class, or of the image. */
function lengthIn(svg: string, name: string, element = "<svg"): number {
  const tag = svg.slice(svg.indexOf(element)).split(">")[0];
  return Number(tag.match(` ${name}="([\\d.]+)"`)?.[1]);
}

describe("the badge of an embed", () => {
  it("says the count as text and as a title, with thousands separated", () => {
    const svg = badge({ users: 12_345, label: "online" }, "auto");
    assert.match(svg, /role="img" aria-label="12,345 online"><title>12,345 online<\/title>/);
    assert.match(svg, /class="number"[^>]*>12,345<\/text>/);
    assert.match(svg, /class="label"[^>]*>online<\/text>/);
  });

  it("is exactly as wide as its texts, which keep their place in any font", () => {
    const label = fc.string({ minLength: 1, maxLength: 40, unit: "grapheme" });
    fc.assert(fc.property(fc.nat(10_000_000), label, (users, label) => {
      const svg = badge({ users, label }, "auto");
      const [number, words] = ["number", "label"].map((name) => ({
        at: lengthIn(svg, "x", `<text class="${name}"`),
        width: lengthIn(svg, "textLength", `<text class="${name}"`),
      }));
      assert.equal(number.at, 28);
      assert.ok(Math.abs(words.at - (number.at + number.width + 5)) < 0.11);
      const spare = lengthIn(svg, "width") - (words.at + words.width + 12);
      assert.ok(spare >= 0 && spare <= 1, String(spare));
    }));
  });

  it("has the colors of a theme, or of both for the reader to prefer one", () => {
    const count = { users: 1, label: "online" };
    const grounds = (theme: EmbedTheme) =>
      [...badge(count, theme).matchAll(/\.ground\{fill:(#\w+)/g)].map(([, color]) => color);
    assert.deepEqual(grounds("light"), ["#ffffff"]);
    assert.deepEqual(grounds("dark"), ["#181e1b"]);
    assert.deepEqual(grounds("auto"), ["#ffffff", "#181e1b"]);
    assert.match(badge(count, "auto"), /@media \(prefers-color-scheme:dark\)/);
  });

  it("shows whatever a label says as text", () => {
    const label = `</text><script>alert("1")</script>&'`;
    const svg = badge({ users: 1, label }, "auto");
    assert.doesNotMatch(svg, /<script|&'/);
    assert.equal(
      svg.match(/</g)?.length,
      badge({ users: 1, label: "x" }, "auto").match(/</g)?.length,
    );
  });
});

describe("the width of a text", () => {
  it("is that of DejaVu Sans", () => {
    assert.equal(textWidth("0", 1_000, "regular"), 636);
    assert.equal(textWidth("0", 1_000, "bold"), 696);
    assert.equal(textWidth("~", 1_000, "regular"), 838);
    assert.equal(textWidth("online", 10, "regular"), 30.51);
  });

  it("counts no marks on letters, and wide characters as wide", () => {
    assert.equal(textWidth("e\u0301", 10, "regular"), textWidth("e", 10, "regular"));
    assert.equal(textWidth("在线", 10, "regular"), 20);
    assert.equal(textWidth("🙂", 10, "regular"), 10);
    assert.equal(textWidth("é", 10, "regular"), 6.8);
  });
});
