import { strict as assert } from "node:assert";
import * as cookie from "@std/http/cookie";
import { describe, it } from "@std/testing/bdd";
import * as fresh from "fresh";
import { packagesText, standIns, standInsAmong } from "@/server/observability/stand_ins.ts";
import manifest from "@/deno.json" with { type: "json" };

describe("the stand-ins of a process", () => {
  const links: readonly string[] = (manifest as { links?: string[] }).links ?? [];

  it("are those that deno.json links", () => {
    const linked = [
      ...links.includes("./jsr/fresh") ? ["fresh"] : [],
      ...links.includes("./jsr/std_http") ? ["@std/http"] : [],
    ];
    assert.deepEqual(standIns, linked);
    assert.deepEqual(standInsAmong({ fresh, "@std/http": cookie }), linked);
  });

  it("are none where the modules are JSR's", () => {
    assert.deepEqual(standInsAmong({ fresh: { App: class {} }, "@std/http": {} }), []);
  });

  it("are named in the version's text", () => {
    assert.equal(packagesText([]), "packages from JSR");
    assert.equal(packagesText(["fresh"]), "stand-ins for fresh");
    assert.equal(packagesText(["fresh", "@std/http"]), "stand-ins for fresh and @std/http");
  });
});
