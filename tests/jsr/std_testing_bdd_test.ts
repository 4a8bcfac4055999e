import { afterAll, afterEach, beforeAll, beforeEach, describe, it } from "@std/testing/bdd";
import assert from "node:assert/strict";

const calls: string[] = [];
const note = (call: string) => () => void calls.push(call);

describe("@std/testing/bdd", () => {
  describe("hooks", () => {
    beforeAll(note("outer beforeAll"));
    beforeEach(note("outer beforeEach"));
    afterEach(note("outer afterEach"));
    afterAll(note("outer afterAll"));

    describe("of a nested group", () => {
      beforeAll(note("inner beforeAll"));
      beforeEach(note("inner beforeEach"));
      afterEach(note("inner afterEach"));
      afterAll(note("inner afterAll"));

      it("surround a first test", note("first"));
      it("surround a second test", note("second"));
    });
  });

  it("runs hooks from outer to inner and back", () => {
    assert.deepEqual(calls, [
      "outer beforeAll",
      "inner beforeAll",
      "outer beforeEach",
      "inner beforeEach",
      "first",
      "inner afterEach",
      "outer afterEach",
      "outer beforeEach",
      "inner beforeEach",
      "second",
      "inner afterEach",
      "outer afterEach",
      "inner afterAll",
      "outer afterAll",
    ]);
  });

  it("throws for only, skip and hooks outside of a group", () => {
    assert.throws(() => it.only("x", () => {}), /it\.only is left out/);
    assert.throws(
      () => describe.skip("x", () => {}),
      /describe\.skip is left out/,
    );
    assert.throws(() => beforeEach(() => {}), /inside describe/);
  });

  it("fails the group when a test fails, and still runs afterEach and afterAll", async () => {
    const { code, stdout } = await runTests(`
      import { afterAll, afterEach, describe, it } from "@std/testing/bdd";
      describe("group", () => {
        afterEach(() => console.log("cleaned after each"));
        afterAll(() => console.log("cleaned after all"));
        it("throws", () => { throw new Error("thrown by the test"); });
      });
    `);
    assert.equal(code, 1);
    assert.match(stdout, /thrown by the test/);
    assert.match(stdout, /cleaned after each/);
    assert.match(stdout, /cleaned after all/);
  });

  it("counts tests that are ignored as such, and runs nothing of them", async () => {
    const { code, stdout } = await runTests(`
      import { describe, it } from "@std/testing/bdd";
      const fails = () => { throw new Error("ran"); };
      describe("group", () => {
        it("is skipped", { ignore: true }, fails);
        it("runs", { ignore: false }, () => {});
        describe("within", { ignore: true }, () => it("is skipped as well", fails));
      });
    `);
    assert.equal(code, 0, stdout);
    assert.match(stdout, /1 passed \(1 step\) \| 0 failed \| 0 ignored \(2 steps\)/);
  });

  it("names the failure of beforeAll when afterAll fails because of it", async () => {
    const { code, stdout } = await runTests(`
      import { afterAll, beforeAll, describe, it } from "@std/testing/bdd";
      describe("group", () => {
        beforeAll(() => { throw new Error("the cause"); });
        afterAll(() => { throw new Error("what follows"); });
        it("never runs", () => {});
      });
    `);
    assert.equal(code, 1);
    assert.match(stdout, /the cause/);
    assert.match(stdout, /what follows/);
  });

  it("fails when a nested test leaks a timer", async () => {
    const { code, stdout } = await runTests(`
      import { describe, it } from "@std/testing/bdd";
      describe("group", () => it("leaks", () => { setInterval(() => {}, 1e6); }));
    `);
    assert.equal(code, 1);
    assert.match(stdout, /Leaks detected/);
  });
});

/** Runs a test file of its own, in this project's configuration. */
async function runTests(
  source: string,
): Promise<{ code: number; stdout: string }> {
  const file = await Deno.makeTempFile({ suffix: "_test.ts" });
  try {
    await Deno.writeTextFile(file, source);
    const config = new URL("../../deno.dev.json", import.meta.url).pathname;
    const command = new Deno.Command(Deno.execPath(), {
      args: ["test", "--no-check", "--config", config, file],
      env: { NO_COLOR: "1" },
    });
    const { code, stdout } = await command.output();
    return { code, stdout: new TextDecoder().decode(stdout) };
  } finally {
    await Deno.remove(file);
  }
}
