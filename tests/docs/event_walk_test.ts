import assert from "node:assert/strict";
import { describe, it } from "@std/testing/bdd";

const document = "docs/architecture.md";

/** A file, and the names in it that follow: `` `path/file.ts` `name`, `Class.method` ``. */
const citation = /`([\w./-]+\.tsx?)`((?:(?:\s+|,\s+|\s+and\s+)`[\w$.]+`)+)/g;

for (const heading of ["The path of a join", "The path of a join across two servers"]) {
  const section = sectionOf(heading);
  const [, ...steps] = section.split(/^\d+\. /m);

  describe(`“${heading}” in ${document}`, () => {
    it("cites a function in each of its steps", () => {
      assert.ok(steps.length > 3);
      for (const step of steps) assert.ok(citationsIn(step).length > 0, step);
    });

    for (const { path, name } of citationsIn(section)) {
      it(`cites ${name}, which ${path} defines`, () => assert.ok(defines(sourceOf(path), name)));
    }

    for (const [, path] of section.matchAll(/`([\w./-]+\.tsx?)`/g)) {
      it(`names ${path}, which exists`, () => assert.notEqual(sourceOf(path), ""));
    }
  });
}

describe("the search for a definition", () => {
  const source = [
    "export async function sign(text: string) {",
    "  verify(text);",
    "}",
    "const limits = { most: 1 };",
    "export class Hub<Member> {",
    "  #size = 0;",
    "  static async open(",
    "    name: string,",
    "  ) {",
    "  }",
    "  get size(): number {",
    "  }",
    "  readonly receive = (text: string) => {};",
    "}",
    "export const handler = {",
    "  POST: (request) => request,",
    "};",
  ].join("\n");
  const rows: [name: string, isDefined: boolean][] = [
    ["sign", true],
    ["limits", true],
    ["Hub", true],
    ["Hub.open", true],
    ["Hub.size", true],
    ["Hub.receive", true],
    ["handler.POST", true],
    ["verify", false],
    ["Hub.verify", false],
    ["Channel.open", false],
    ["text", false],
  ];
  for (const [name, isDefined] of rows) {
    it(`${isDefined ? "finds" : "does not find"} ${name}`, () => {
      assert.equal(defines(source, name), isDefined);
    });
  }
});

/** The text of a section of the document, without its heading. */
function sectionOf(heading: string): string {
  const [, ...sections] = Deno.readTextFileSync(document).split(/^## /m);
  const section = sections.find((each) => each.startsWith(`${heading}\n`));
  if (section === undefined) throw new Error(`${document} has no section "${heading}"`);
  return section.slice(heading.length);
}

function citationsIn(text: string): { path: string; name: string }[] {
  return [...text.matchAll(citation)].flatMap(([, path, names]) =>
    [...names.matchAll(/`([^`]+)`/g)].map(([, name]) => ({ path, name }))
  );
}

/** Whether the code has a function, class, constant or type of a name; `A.b` is the member b of A. */
function defines(source: string, name: string): boolean {
  const [outer, member] = name.split(".");
  const modifiers = "(?:(?:static|async|get|set|override|readonly) )*[*#]?";
  const has = (pattern: string) => new RegExp(pattern, "m").test(source);
  return has(
    `^(?:export )?(?:async )?(?:function\\*?|const|let|class|interface|type) ${outer}\\b`,
  ) &&
    (member === undefined || has(`^ +${modifiers}${member}\\??(?:: |<|\\((?:$|.*[{,]$))`) ||
      has(`^ +readonly ${member} = `));
}

function sourceOf(path: string): string {
  try {
    return Deno.readTextFileSync(path);
  } catch {
    return "";
  }
}
