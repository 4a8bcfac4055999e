import { strict as assert } from "node:assert";
import { describe, it } from "@std/testing/bdd";
import deno from "../../../deno.json" with { type: "json" };
import { builtVersion } from "../../../tools/pusher_js/built_version.ts";

describe("the build of pusher-js for pages", () => {
  it("is of the version in deno.json; otherwise run tools/pusher_js/main.ts", async () => {
    const version = deno.imports["pusher-js"].split("@").at(-1)!;
    const built = await Deno.readTextFile("browser/connection/pusher_js.js");
    assert.ok(built.startsWith(builtVersion(version)), built.slice(0, 100));
  });
});
