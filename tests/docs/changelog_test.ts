import assert from "node:assert/strict";
import { describe, it } from "@std/testing/bdd";
import { version } from "@/shared/version.ts";

/** A version of the changelog, with its sections in order. */
interface Release {
  name: string;
  sections: { title: string; entries: string[] }[];
}

const order = ["Upgrade notes", "Added", "Changed", "Fixed", "Security"];

/** The versions of a changelog, and what is neither a heading nor an entry of a section. */
function readChangelog(text: string): { releases: Release[]; strays: string[] } {
  const releases: Release[] = [];
  const strays: string[] = [];
  const [, ...parts] = text.split(/^## /m);
  for (const part of parts) {
    const [head, ...sections] = part.split(/^### /m);
    const [name, ...rest] = head.trim().split("\n");
    strays.push(...rest.filter((line) => line !== ""));
    releases.push({
      name,
      sections: sections.map((section) => {
        const [title, ...lines] = section.trim().split("\n");
        const entries = lines.join("\n").trim().split(/^- /m).map((entry) =>
          entry.trim().replace(/\s+/g, " ")
        );
        strays.push(...entries.splice(0, 1).filter((stray) => stray !== ""));
        return { title, entries };
      }),
    });
  }
  return { releases, strays };
}

/** What a reader sees of an entry: a link is its text. */
function visible(entry: string): string {
  return entry.replace(/\[([^\]]*)\]\([^)]*\)/g, "$1");
}

describe("CHANGELOG.md", () => {
  const { releases, strays } = readChangelog(Deno.readTextFileSync("CHANGELOG.md"));
  const sections = releases.flatMap(({ name, sections }) =>
    sections.map((section) => ({ name, ...section }))
  );

  it("begins with the version of the program, and has each version once, with its date", () => {
    const names = releases.map(({ name }) => name);
    for (const name of names) assert.match(name, /^\d+\.\d+\.\d+ \(\d{4}-\d{2}-\d{2}\)$/);
    const versions = names.map((name) => name.split(" ")[0]);
    assert.equal(versions[0], version);
    assert.equal(new Set(versions).size, versions.length);
    assert.deepEqual(strays, []);
  });

  it("has each version's sections in one order, with upgrade notes first", () => {
    for (const { name, sections } of releases) {
      const titles = sections.map(({ title }) => title);
      assert.deepEqual(titles, order.filter((title) => titles.includes(title)), name);
    }
    assert.equal(releases[0].sections[0].title, "Upgrade notes");
  });

  it("has entries that are one line: a sentence of at most 100 characters, links apart", () => {
    assert.ok(sections.length > 5);
    for (const { name, title, entries } of sections) {
      assert.notEqual(entries.length, 0, `${name}, ${title}`);
      const seen = entries.map(visible);
      assert.deepEqual(seen.filter((entry) => entry.length > 100 || !entry.endsWith(".")), []);
    }
  });

  it("names no change twice", () => {
    const entries = releases[0].sections.flatMap(({ entries }) => entries);
    assert.deepEqual(entries.filter((entry, index) => entries.indexOf(entry) !== index), []);
  });
});
