import assert from "node:assert/strict";
import { describe, it } from "@std/testing/bdd";
import { faultOf, storiesOf, withFault } from "@/tools/mutate/story.ts";
import { ImportGraph } from "@/tools/test/import_graph.ts";
import { needsOf } from "@/tools/test/needs.ts";

const graph = new ImportGraph(".");
const stories = await storiesOf(Deno.cwd());

describe("the stories of faults", () => {
  it("are those beside the tests, at any depth", () => {
    const files = stories.map(({ file }) => file);
    for (const folder of ["components/", "realtime/cluster/", "server/accounts/", "shared/"]) {
      assert.ok(files.some((file) => file.startsWith(folder)), folder);
    }
  });

  for (const story of stories) {
    it(`fit the program and its unit tests: ${story.what}`, () => {
      faultOf(story, Deno.readTextFileSync(story.file));
      assert.ok(story.tests.length > 0);
      for (const test of story.tests) {
        assert.ok(Deno.statSync(test).isFile);
        assert.deepEqual(needsOf(test, graph).map(({ name }) => name), [], test);
      }
    });
  }
});

describe("a story", () => {
  const story = { what: "it is off by one", file: "file.ts", from: "<=", to: "<", tests: [] };

  it("replaces its text", () => {
    assert.equal(withFault("a <= b", faultOf(story, "a <= b")), "a < b");
  });

  it("is an error with its phrase where its text is missing or more than once", () => {
    assert.throws(() => faultOf(story, "a < b"), /“it is off by one”: file.ts has "<=" 0 times/);
    assert.throws(() => faultOf(story, "a <= b <= c"), /file.ts has "<=" 2 times/);
  });
});
