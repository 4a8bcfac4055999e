import assert from "node:assert/strict";
import { dirname, join } from "node:path";
import { describe, it } from "@std/testing/bdd";
import { documentedAppFields } from "@/server/config/app_fields.ts";
import { docsSources } from "@/deploy/docs/order.ts";
import { settings } from "@/server/config/settings.ts";
import { internalsGroup } from "@/shared/docs.ts";
import { rings } from "../architecture/rings.ts";
import { blocksOf, documentPaths } from "./code_blocks.ts";

const exists = (path: string) => Deno.stat(path).then(() => true, () => false);

describe("the links of the documents", () => {
  for (const path of documentPaths()) {
    it(`${path}: each leads to a file, and to a heading of it`, async () => {
      const text = prose(path, await Deno.readTextFile(path));
      const links = [...text.matchAll(/\]\(([^)\s]+)\)/g)].map(([, link]) => link)
        .filter((link) => !/^https?:/.test(link));
      for (const link of links) {
        const [file, anchor] = link.split("#");
        const target = file === "" ? path : join(dirname(path), file);
        assert.ok(await exists(target), `${link} leads to a file`);
        if (anchor === undefined) continue;
        const anchors = anchorsOf(target, await Deno.readTextFile(target));
        assert.ok(anchors.has(anchor), `${link} leads to one of ${[...anchors].join(", ")}`);
      }
    });

    it(`${path}: each file of the program that it names is there`, async () => {
      const text = await Deno.readTextFile(path);
      const paths = text.match(/(?<=`)(tests|tools|config|deploy|packages|docs)\/[\w./-]*(?=`)/g) ??
        [];
      const named = paths.filter((file) => !file.endsWith(".php"));
      for (const file of named) assert.ok(await exists(file), `${file} is there`);
    });
  }
});

/** The most lines of a page by its group. */
const mostLines: Readonly<Record<string, number>> = {
  "Start": 120,
  "Connect your app": 120,
  "Use": 120,
  "Recipes": 80,
  "Install": 120,
  "Operate": 120,
};

/** Pages that may be longer: they have a whole program, or tables for several servers. */
const longPages: Readonly<Record<string, number>> = {
  "docs/tutorials/express-app.md": 170,
  "docs/tutorials/laravel-app.md": 150,
  "docs/laravel.md": 150,
  "docs/javascript.md": 170,
  "docs/client.md": 150,
  "docs/api.md": 150,
  "docs/migrate.md": 190,
  "docs/dashboard.md": 150,
  "docs/apps.md": 135,
};

describe("the pages that say how to do something", () => {
  for (const { path, group } of docsSources().filter(({ group }) => group in mostLines)) {
    const most = longPages[path] ?? mostLines[group];
    it(`${path} has at most ${most} lines`, async () => {
      const lines = (await Deno.readTextFile(path)).trimEnd().split("\n");
      assert.ok(lines.length <= most, `${lines.length} lines`);
    });
  }

  it("README.md has at most 120 lines", async () => {
    assert.ok((await Deno.readTextFile("README.md")).trimEnd().split("\n").length <= 120);
  });
});

/** What readers would have to learn, or is none of their business: how the program is tested. */
const unwantedWords: readonly RegExp[] = [
  /\bhas the (?:way|commands|numbers)\b/i,
  /\bby itself\b/i,
  /\bmeanwhile\b/i,
  /\bfrom then on\b/i,
  /\bin turn\b/i,
  /\bbelieved\b/i,
  /\bstrangers?\b/i,
  /\bleave grace\b/i,
  /\bbelow a path\b/i,
  /\bsends? away\b/i,
  /\buntested\b|\brun by (?:the|a) tests?\b|\b(?:a|the) tests? (?:fails?|of each|shows?|runs?|walks?)\b/i,
];

/** The most words of a sentence, or of its part before a colon. */
const mostWords = 30;

describe("the sentences of the pages for users", () => {
  const pages = docsSources()
    .filter(({ group, path }) => group !== internalsGroup && path !== "CHANGELOG.md");

  for (const { path } of pages) {
    it(`${path}: have at most ${mostWords} words, and none that readers have to learn`, async () => {
      const sentences = sentencesOf(await Deno.readTextFile(path));
      const long = sentences.filter((sentence) => sentence.split(" ").length > mostWords);
      assert.deepEqual(long, []);
      // The page says what people have to do who add a language to the program.
      const words = path === "docs/languages.md" ? unwantedWords.slice(0, -1) : unwantedWords;
      const unwanted = sentences.filter((sentence) => words.some((word) => word.test(sentence)));
      assert.deepEqual(unwanted, []);
    });
  }

  it("are found in paragraphs and items, without code, tables and addresses", () => {
    assert.deepEqual(sentencesOf(proseOfAllKinds), [
      "One sentence with a link.",
      "Another:",
      "over two lines.",
      "An item with ….",
      "And (in brackets.)",
      "The last.",
    ]);
  });
});

const proseOfAllKinds = `# No heading

One sentence with
[a link](page.md#with.dots). **Another:** over
two lines.

| no | table. |
| -- | ------ |

- An item with \`code. In it\`.

  <!-- No comment. -->

  \`\`\`sh
  no block of code.
  \`\`\`

1. And (in brackets.) The last.
`;

/** The sentences of a document, without headings, tables, pictures, code, comments and addresses. */
function sentencesOf(markdown: string): string[] {
  return markdown
    .replace(/<!--.*?-->/gs, "")
    .replace(/^( *)(`{3,}|~{3,}).*\n[^]*?^ *\2$/gm, "\n\n")
    .replace(/^ *(?:\||#|!\[).*$/gm, "\n\n")
    .replace(/^ *(?:[-*]|\d+\.) /gm, "\n\n")
    .replace(/`[^`]*`/g, "…")
    .replace(/\[([^\]]*)\]\([^)]*\)/g, "$1")
    .replace(/[*_]/g, "")
    .split(/\n\s*\n/)
    .flatMap((paragraph) => paragraph.trim().replace(/\s+/g, " ").split(/(?<=[.!?:;][”")]*) /))
    .filter((sentence) => sentence !== "");
}

describe("CONTRIBUTING.md", () => {
  it("has at most 15,000 bytes, so that a newcomer reads all of it", async () => {
    const { length } = await Deno.readFile("CONTRIBUTING.md");
    assert.ok(length <= 15_000, `${length} bytes`);
  });

  for (
    const [path, least] of [["CONTRIBUTING.md", 80], [
      "docs/internals/architecture.md",
      40,
    ]] as const
  ) {
    it(`${path} names files and folders of the program that are there`, async () => {
      const paths = await pathsIn(path);
      assert.ok(paths.length >= least, String(paths.length));
      for (const named of paths) assert.ok(await exists(named), `${named} is there`);
    });
  }

  it("has a sentence for each ring", async () => {
    const paths = await pathsIn("CONTRIBUTING.md");
    const folders = rings.filter((ring) => !ring.endsWith(".ts"));
    assert.deepEqual(folders.filter((ring) => !paths.includes(`${ring}/`)), []);
  });

  it("names functions and components that the program has", async () => {
    const text = await Deno.readTextFile("CONTRIBUTING.md");
    const spans = [...text.matchAll(/`([^`\n]+)`/g)].map(([, code]) => code);
    const names = spans.flatMap((code) => [...code.matchAll(/<([A-Z]\w+)|(\w+)\(/g)])
      .map(([, component, called]) => component ?? called)
      .filter((name) => !["fetch", "redirect", "warn", "listen"].includes(name));
    const folders = ["cli", "components", "http", "realtime", "server", "shared"];
    const islands = [...Deno.readDirSync("islands")].map(({ name }) => name).join(" ");
    const program = [islands, ...await Promise.all(folders.map(textOf))].join("\n");
    assert.ok(names.length > 5, names.join());
    for (const name of names) assert.match(program, new RegExp(`\\b${name}\\b`));
  });
});

describe("the settings in the documents' tables", () => {
  it("README.md names settings that there are", async () => {
    const text = await Deno.readTextFile("README.md");
    const rows = text.split("\n").filter((line) => /^\| `[A-Z_]+`/.test(line));
    const names = rows.flatMap((row) => row.split("|")[1].match(/[A-Z_]+/g) ?? []);
    assert.equal(rows.length, 8);
    assert.deepEqual(names.filter((name) => !(name in settings)), []);
  });
});

describe("the tables of moving from another server", () => {
  for (const server of ["Pusher", "Laravel Reverb", "Soketi"]) {
    it(`docs/migrate.md, from ${server}, name settings and fields of Rollcall that there are`, async () => {
      const page = await Deno.readTextFile("docs/migrate.md");
      const [, section] = page.split(`\n## From ${server}\n`);
      const known = new Set([...Object.keys(settings), ...Object.keys(documentedAppFields)]);
      const cells = section.split("\n## ")[0].split("\n").filter((line) => line.startsWith("| "))
        .map((line) => line.split("|").slice(2, -1).join("|"));
      const names = cells.flatMap((cell) =>
        cell.match(/(?<=`)([A-Z]+_[A-Z_]+|max_\w+)(?=`)/g) ?? []
      );
      assert.ok(names.length >= 5, String(names.length));
      assert.deepEqual(names.filter((name) => !known.has(name)), []);
    });
  }
});

describe("the reasons of refused API requests", () => {
  it("docs/http-api-reference.md names all of them", async () => {
    const page = await Deno.readTextFile("docs/http-api-reference.md");
    const rows = page.split("\n").filter((line) => /^\| \d{3} /.test(line));
    const documented = new Set(rows.flatMap((row) => row.split("|")[2].match(/[a-z_0-9]+/g) ?? []));
    const source = await textOf("realtime/api");
    const refusals = source.matchAll(/(?:ApiError\(\d{3}|unauthorized\(),?\s*"([a-z_0-9]+)"/g);
    const quotas = source.matchAll(/\{ reason: "([a-z_0-9]+)"/g);
    const known = new Set([...refusals, ...quotas].map(([, reason]) => reason));
    assert.deepEqual(documented, known);
  });
});

/** The paths of the program that a document names, each as often as it does. */
async function pathsIn(document: string): Promise<string[]> {
  const top = new Set([...Deno.readDirSync(".")].map(({ name }) => name));
  const paths: string[] =
    (await Deno.readTextFile(document)).match(/(?<=`)[\w-]+\/[\w./[\]-]*(?=`)/g) ?? [];
  return paths.filter((path) => top.has(path.split("/")[0]));
}

/** A document without its blocks of code and without code in lines. */
function prose(path: string, markdown: string): string {
  const withoutBlocks = blocksOf(path, markdown)
    .reduce((text, block) => text.replace(block.text, ""), markdown);
  return withoutBlocks.replace(/`[^`\n]*`/g, "`");
}

/** What GitHub makes of headings, and places in tables. */
function anchorsOf(path: string, markdown: string): Set<string> {
  const withoutBlocks = blocksOf(path, markdown)
    .reduce((text, block) => text.replace(block.text, ""), markdown);
  const headings = [...withoutBlocks.matchAll(/^#+ (.*)$/gm)].map(([, heading]) =>
    heading.toLowerCase().replace(/[^\p{L}\p{N}\s_-]/gu, "").replaceAll(" ", "-")
  );
  const counts = new Map<string, number>();
  const rows = [...markdown.matchAll(/<a id="([^"]+)"><\/a>/g)].map(([, id]) => id);
  return new Set([
    ...rows,
    ...headings.map((heading) => {
      const before = counts.get(heading) ?? 0;
      counts.set(heading, before + 1);
      return before === 0 ? heading : `${heading}-${before}`;
    }),
  ]);
}

/** All sources of a folder. */
async function textOf(folder: string): Promise<string> {
  const texts: string[] = [];
  for await (const { name, isDirectory } of Deno.readDir(folder)) {
    const path = `${folder}/${name}`;
    texts.push(isDirectory ? await textOf(path) : await Deno.readTextFile(path));
  }
  return texts.join("\n");
}

const document = `# Title

Text.

\`\`\`sh
first
\`\`\`

Not run by the tests: needs another
machine.

\`\`\`sh
second
\`\`\`

\`\`\`sh
third
\`\`\`

## Part

- An item:

  \`\`\`\`md
  \`\`\`js
  # no heading
  \`\`\`
  \`\`\`\`
`;

describe("the blocks of a document", () => {
  const blocks = blocksOf("docs/page.md", document);

  it("have their language, text, heading and line, in a list too", () => {
    assert.deepEqual(
      blocks.map(({ language, text, heading, line }) => ({ language, text, heading, line })),
      [
        { language: "sh", text: "first\n", heading: "Title", line: 5 },
        { language: "sh", text: "second\n", heading: "Title", line: 12 },
        { language: "sh", text: "third\n", heading: "Title", line: 16 },
        { language: "md", text: "```js\n# no heading\n```\n", heading: "Part", line: 24 },
      ],
    );
  });

  it("are marked by the paragraph right before them only", () => {
    assert.deepEqual(blocks.map(({ isMarked }) => isMarked), [false, true, false, false]);
  });

  it("without an end are a fault that names the line", () => {
    assert.throws(() => blocksOf("docs/page.md", "```sh\nls\n"), /docs\/page\.md:1: the block has/);
  });
});

const architecture = "docs/internals/architecture.md";

/** A file, and the names in it that follow: `` `path/file.ts` `name`, `Class.method` ``. */
const citation = /`([\w./-]+\.tsx?)`((?:(?:\s+|,\s+|\s+and\s+)`[\w$.]+`)+)/g;

for (const heading of ["The path of a join", "The path of a join across two servers"]) {
  const section = sectionOf(heading);
  const [, ...steps] = section.split(/^\d+\. /m);

  describe(`“${heading}” in ${architecture}`, () => {
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
  const [, ...sections] = Deno.readTextFileSync(architecture).split(/^## /m);
  const section = sections.find((each) => each.startsWith(`${heading}\n`));
  if (section === undefined) throw new Error(`${architecture} has no section "${heading}"`);
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
