import assert from "node:assert/strict";
import { describe, it } from "@std/testing/bdd";
import { ConfigError, parseConfig } from "@/server/config/config.ts";
import { countedTargets } from "@/server/presence/counted_target.ts";

/** The keys of the channels that a value of the setting counts. */
function keysOf(value: string | undefined, ownAppId = "own"): string[] {
  const { countedChannels } = parseConfig({ COUNTED_CHANNELS: value });
  return countedTargets(countedChannels, ownAppId).map(({ key }) => key);
}

function problemsOf(environment: Record<string, string>): string[] {
  try {
    parseConfig(environment);
    return [];
  } catch (error) {
    assert.ok(error instanceof ConfigError);
    return error.problems;
  }
}

describe("COUNTED_CHANNELS", () => {
  it("counts presence-chart alone when it is not given", () => {
    assert.deepEqual(keysOf(undefined), ["presence-chart"]);
    assert.deepEqual(keysOf("  "), ["presence-chart"]);
  });

  it("counts presence-chart first and each other channel once, in its order", () => {
    assert.deepEqual(
      keysOf(" presence-b 4711/presence-chart\n presence-a,b presence-chart presence-b "),
      ["presence-chart", "presence-b", "4711/presence-chart", "presence-a,b"],
    );
  });

  it("takes a channel that names the app of the pages for one of that app", () => {
    assert.deepEqual(keysOf("own/presence-a presence-a own/presence-chart"), [
      "presence-chart",
      "presence-a",
    ]);
    assert.deepEqual(
      countedTargets([{ appId: "own", channel: "presence-a" }], "own")[1].isOwn,
      true,
    );
  });

  it("has a channel for pages for each, which does not depend on the id of the app of the pages", () => {
    const targets = (ownAppId: string) =>
      countedTargets([{ channel: "presence-a" }, { appId: "x", channel: "presence-a" }], ownAppId);
    const [online, a, ofOther] = targets("own").map(({ pagesChannel }) => pagesChannel);
    assert.equal(online, "private-rollcall.online");
    assert.match(a, /^private-rollcall\.counted\.[0-9a-f]{32}$/);
    assert.notEqual(a, ofOther);
    assert.deepEqual(targets("renamed").map(({ pagesChannel }) => pagesChannel), [
      online,
      a,
      ofOther,
    ]);
  });

  for (
    const [entry, reason] of [
      ["private-orders", "its name must begin with presence-"],
      ["4711/orders", "its name must begin with presence-"],
      ["presence-ä", "a channel name has 1 to 164 of the characters A-Za-z0-9_-=@,.;"],
      ["4711/", "a channel name has 1 to 164 of the characters A-Za-z0-9_-=@,.;"],
      [
        `presence-${"a".repeat(156)}`,
        "a channel name has 1 to 164 of the characters A-Za-z0-9_-=@,.;",
      ],
      ["(b)/presence-a", "it begins with no app ID"],
      ["/presence-a", "it begins with no app ID"],
      ["4711/4712/presence-a", "it has more than one slash"],
    ]
  ) {
    it(`is refused at the start for ${entry.slice(0, 30)}, which it names`, () => {
      const value = `presence-a ${entry}`;
      assert.deepEqual(problemsOf({ COUNTED_CHANNELS: value }), [
        `COUNTED_CHANNELS: ${
          JSON.stringify(value)
        } is not allowed; expected presence channels such ` +
        `as presence-orders or APP_ID/presence-orders, separated by spaces; ` +
        `${JSON.stringify(entry)} is none: ${reason}`,
      ]);
    });
  }

  it("names at most 20 channels", () => {
    const channels = (count: number) =>
      Array.from({ length: count }, (_, index) => `presence-${index}`).join(" ");
    assert.equal(keysOf(channels(20)).length, 21);
    assert.match(
      problemsOf({ COUNTED_CHANNELS: channels(21) })[0],
      /expected at most 20 channels$/,
    );
  });

  it("is refused with an external server, which counts by itself", () => {
    const external = {
      PUSHER_HOST: "pusher.example.com",
      PUSHER_APP_KEY: "key",
      PUSHER_APP_SECRET: "s".repeat(16),
      COUNTED_CHANNELS: "presence-a",
    };
    assert.deepEqual(problemsOf(external), [
      "COUNTED_CHANNELS: given, but the external server counts; expected none",
    ]);
  });
});
