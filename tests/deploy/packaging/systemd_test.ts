import { strict as assert } from "node:assert";
import { describe, it } from "@std/testing/bdd";
import { parseConfig } from "@/server/config/config.ts";

for (const name of ["rollcall.service", "rollcall@.service"]) {
  describe(`the unit ${name} for systemd`, () => {
    const unit = Deno.readTextFileSync(`deploy/${name}`);

    it("is valid for systemd-analyze verify", async () => {
      const folder = await Deno.makeTempDir({ prefix: "rollcall-unit-" });
      const path = `${folder}/${name.replace("@", "@8000")}`;
      // The executable is not installed here.
      await Deno.writeTextFile(path, unit.replace("/usr/local/bin/rollcall", "/bin/true"));
      assert.deepEqual(await analyze("verify", path), { code: 0, output: "" });
      await Deno.remove(folder, { recursive: true });
    });

    it("has an exposure of at most 1.5 in systemd-analyze security", async () => {
      const path = `deploy/${name}`;
      const { code, output } = await analyze("security", "--offline=yes", "--threshold=15", path);
      assert.equal(code, 0, output);
    });

    it("stops with a timeout of at least 10 s more than the drain", () => {
      const [, seconds] = unit.match(/^TimeoutStopSec=(\d+)$/m)!;
      assert.ok(Number(seconds) * 1_000 >= parseConfig({}).drainMs + 10_000);
    });
  });
}

describe("the template unit for systemd", () => {
  const [one, each] = ["rollcall.service", "rollcall@.service"].map((name) =>
    Deno.readTextFileSync(`deploy/${name}`).split("\n")
  );

  it("gives each server its port, and needs the settings that all share", () => {
    assert.ok(each.some((line) => /^Environment=PORT=%i /.test(line)));
    assert.ok(each.includes("EnvironmentFile=/etc/rollcall/environment"));
  });

  it("has all other lines of the unit for one server", () => {
    const missing = one.filter((line) => !each.includes(line));
    assert.deepEqual(missing.map((line) => line.split("=")[0]), [
      "# docs/executable.md says how to install it.",
      "Description",
      "EnvironmentFile",
      "Environment",
    ]);
  });
});

async function analyze(...args: string[]): Promise<{ code: number; output: string }> {
  const { code, stdout, stderr } = await new Deno.Command("systemd-analyze", {
    args: ["--no-pager", ...args],
    env: { SYSTEMD_COLORS: "0" },
    stdin: "null",
    signal: AbortSignal.timeout(60_000),
  }).output();
  const decoder = new TextDecoder();
  return { code, output: decoder.decode(stdout) + decoder.decode(stderr) };
}
