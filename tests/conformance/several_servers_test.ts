import assert from "node:assert/strict";
import { describe, it } from "@std/testing/bdd";
import { BuiltApp } from "./built_app.ts";
import { ofOneServer, suites } from "./suites.ts";
import { describeRules } from "./proved_rules.ts";

describeRules("The Pusher protocol over three servers", () => BuiltApp.startSeveral(3), {
  without: new Set(Object.keys(ofOneServer)),
});

describe("the rules of one server", () => {
  it("are all known", () => {
    const ids = new Set(suites.flatMap(({ rules }) => rules.map(({ id }) => id)));
    assert.deepEqual(Object.keys(ofOneServer).filter((id) => !ids.has(id)), []);
  });
});

/**
 * Their proofs count the subscribers of three connections at once, of which two are at one worker: each worker states
 * its number at most once a second. Three servers have one each.
 */
const ofFewSubscribers = ["api-channels.one", "api-events.info"];

describeRules("The Pusher protocol over two workers", () => BuiltApp.startWorkers(2), {
  without: new Set([...Object.keys(ofOneServer), ...ofFewSubscribers]),
});
