import assert from "node:assert/strict";
import { describe, it } from "@std/testing/bdd";
import { BuiltApp } from "./built_app.ts";
import { suites } from "./suites.ts";
import { ofOneServer } from "./one_server.ts";
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
