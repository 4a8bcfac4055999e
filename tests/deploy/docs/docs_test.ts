import assert from "node:assert/strict";
import { dirname, join } from "node:path/posix";
import { describe, it } from "@std/testing/bdd";
import { renderDocs } from "@/deploy/docs/build.ts";
import { renderPage } from "@/deploy/docs/markdown.ts";
import { docsSources, orderedSources } from "@/deploy/docs/order.ts";
import { siteFiles } from "@/deploy/docs/site.tsx";
import { movedDocs, movedSections } from "@/http/moved_docs.ts";
import { stepDocsPath } from "@/shared/docs.ts";
import { maxDocsQuery, searchDocs } from "@/shared/docs_search.ts";

/** Renders a page, with links as they would lead from the repository. */
function rendered(markdown: string) {
  const source = { path: "docs/page.md", name: "page", group: "Use" };
  return renderPage(source, markdown, ({ path, anchor }, kind) => `${kind}:${path}${anchor}`);
}

const htmlOf = (markdown: string) => rendered(`# Title\n\n${markdown}`).page.html;

describe("a document as a page", () => {
  it("has its title, the first sentence, and its headings with the ids that GitHub gives", () => {
    const { page } = rendered(
      "# The `page`\n\nIt is *short*. And more.\n\n## One & two\n\n### `A_B`: c\n\n## One & two\n",
    );
    assert.equal(page.title, "The page");
    assert.equal(page.description, "It is short.");
    assert.deepEqual(page.headings, [
      { depth: 2, id: "one--two", text: "One & two" },
      { depth: 3, id: "a_b-c", text: "A_B: c" },
      { depth: 2, id: "one--two-1", text: "One & two" },
    ]);
    for (const { id } of page.headings) assert.ok(page.html.includes(`id="${id}"`), id);
    const { page: guide } = rendered("# A guide\n\n**What you get:** one file, that runs: now.\n");
    assert.equal(guide.description, "One file, that runs.");
  });

  it("links to other documents, to files and to the web, in its Markdown too", () => {
    const { page, markdown } = rendered(
      "# T\n\n[a](other.md#b) ![c](pictures/d.png) [e](../LICENSE) [f](#g) [h](https://i.example/)\n",
    );
    for (
      const link of [
        'href="page:docs/other.md#b"',
        'src="page:docs/pictures/d.png" alt="c"',
        'href="page:LICENSE"',
        'href="#g"',
        'href="https://i.example/"',
      ]
    ) assert.ok(page.html.includes(link), link);
    assert.match(markdown, /\[a\]\(markdown:docs\/other\.md#b\) !\[c\]\(markdown:docs\/pictures/);
  });

  it("shows code as text, and leaves comments out", () => {
    const html = htmlOf('<!-- For authors. -->\n\n```html\n<b title="x">&amp;</b>\n```\n\n`<i>`');
    assert.ok(html.includes("&lt;b title=&quot;x&quot;&gt;&amp;amp;&lt;/b&gt;\n</code>"), html);
    assert.ok(html.includes("<code>&lt;i&gt;</code>"), html);
    assert.ok(!html.includes("authors"), html);
  });

  for (
    const [what, markdown] of [
      ["HTML in a block", "<div onclick='x'>\n"],
      ["HTML in a line", "a <b>b</b>"],
      ["HTML behind a comment", "<!-- a --><script>x</script>"],
      ["a script as a link", "[a](javascript:alert)"],
      ["a data URL", "![a](data:image/png;base64,AA)"],
      ["a path of the host", "[a](/admin)"],
      ["a picture of another site", "![a](https://example.com/a.png)"],
      ["a picture without a text", "![](a.png)"],
    ]
  ) {
    it(`may not have ${what}`, () =>
      assert.throws(() => htmlOf(markdown), /^Error: docs\/page\.md: /));
  }

  it("makes tabs of blocks in languages of which a reader needs one, and of named ones", () => {
    const block = (language: string) => `\`\`\`${language}\nx\n\`\`\`\n\n`;
    const isTabs = (...languages: string[]) =>
      htmlOf(languages.map(block).join("")).includes('class="stack tight tabs"');
    assert.ok(isTabs("php", "js"));
    assert.ok(isTabs("vue", 'html title="Svelte"'));
    assert.ok(isTabs('sh title="npm"', 'sh title="Deno"'));
    assert.ok(!isTabs("php"));
    assert.ok(!isTabs("js", "js"));
    assert.ok(!isTabs("sh", "json"));
    assert.ok(!htmlOf(`${block("php")}Or:\n\n${block("js")}`).includes("tabs"));
    assert.match(htmlOf(block('html title="Svelte"')), /<figcaption><span>Svelte</);
  });

  it("has rows of tables that links and the search lead to", () => {
    const row =
      '# T\n\n## Group\n\n| a | b |\n|---|---|\n| <a id="one_two"></a>`ONE_TWO` | It is *so*. |\n';
    const { page, sections } = rendered(row);
    assert.match(page.html, /<th scope="row"><a id="one_two"><\/a><code>ONE_TWO<\/code><\/th>/);
    assert.deepEqual(
      sections.map(({ anchor, heading, text }) => [anchor, heading, text]),
      [["", "", ""], ["group", "Group", ""], ["one_two", "ONE_TWO", "It is so."]],
    );
  });

  it("has tables whose rows have a head and whose cells know their columns", () => {
    const html = htmlOf('| a | "b" |\n|---|---|\n| `c` | d |\n');
    assert.match(html, /<th scope="row"><code>c<\/code><\/th><td data-label="&quot;b&quot;">d</);
  });
});

describe("the documents", () => {
  it("are all in the order, which names no others", async () => {
    const ordered = orderedSources.map(({ path }) => path);
    assert.deepEqual(docsSources().map(({ path }) => path), ordered);
    for (const path of ordered) assert.ok((await Deno.stat(path)).isFile, path);
    const names = orderedSources.map(({ name }) => name);
    assert.equal(new Set([...names, "search"]).size, names.length + 1, "no name twice");
  });

  it("link only to pages, sections and files that there are", async () => {
    const { docs, files } = await renderDocs();
    const idsOf = new Map(
      docs.pages.map(({ name, html }) => [
        name,
        new Set([...html.matchAll(/ id="([^"]+)"/g)].map(([, id]) => id)),
      ]),
    );
    let links = 0;
    for (const { name, html } of docs.pages) {
      for (const [, link] of html.matchAll(/ (?:href|src)="([^"]+)"/g)) {
        if (/^(https?|mailto):/.test(link)) continue;
        const [target, id] = link.split("#");
        const ids = idsOf.get(target || name);
        assert.ok(ids || files.has(target), `${name}: ${link} leads to a page or file`);
        if (id !== undefined) assert.ok(ids?.has(id), `${name}: ${link} leads to a section`);
        links++;
      }
    }
    assert.ok(links > 300, String(links));
    for (const [file, content] of files) {
      if (!file.endsWith(".md")) continue;
      for (const [, link] of String(content).matchAll(/\]\(([\w./-]+)(?:#[^)]*)?\)/g)) {
        assert.ok(files.has(join(dirname(file), link)), `${file}: ${link} leads to a file`);
      }
    }
  });

  it("have a list for programs, with each page and what it is about", async () => {
    const { docs, files } = await renderDocs();
    const list = String(files.get("llms.txt"));
    assert.match(list, /^# Rollcall\n\n> See who is online[^\n]+\n\n## Start\n\n- \[/);
    for (const { name, title } of docs.pages) assert.ok(list.includes(`[${title}](${name}.md): `));
  });
});

describe("a search in the documents", () => {
  const section = (heading: string, text: string) => ({
    page: "proxies",
    title: "Behind a proxy",
    anchor: heading.toLowerCase(),
    heading,
    text,
  });
  const sections = [
    section("", "One of them."),
    section("Timeouts", "How long a proxy waits."),
    section("Caddy", "It waits for a timeout, and stays at rest <b>."),
  ];
  const found = (query: string) => searchDocs(sections, query).map(({ heading }) => heading);

  it("finds what has all words, as beginnings of words, those in headings first", () => {
    assert.deepEqual(found("timeout"), ["Timeouts", "Caddy"]);
    assert.deepEqual(found("TIME caddy"), ["Caddy"]);
    assert.deepEqual(found("behind"), ["", "Timeouts", "Caddy"]);
    assert.deepEqual(found("imeout"), []);
    assert.deepEqual(found("timeout nginx"), []);
  });

  it("shows where the words are", () => {
    const [{ excerpt }] = searchDocs(sections, "caddy waits rest");
    assert.deepEqual(excerpt, [
      { text: "It ", isMatch: false },
      { text: "waits", isMatch: true },
      { text: " for a timeout, and stays at ", isMatch: false },
      { text: "rest", isMatch: true },
      { text: " <b>.", isMatch: false },
    ]);
  });

  it("finds nothing for an empty query, and reads only the beginning of a long one", () => {
    assert.deepEqual(found(" .*+?^${}()|[]\\ "), []);
    assert.deepEqual(found(`${"caddy ".repeat(maxDocsQuery)}nothing`), ["Caddy"]);
  });

  it("shows at most 20 sections, each in part", () => {
    const many = Array.from(
      { length: 50 },
      (_, index) => section(`S${index}`, "word ".repeat(900)),
    );
    const hits = searchDocs(many, "word");
    assert.equal(hits.length, 20);
    for (const { excerpt } of hits) {
      assert.ok(excerpt.map(({ text }) => text).join("").length < 200);
    }
  });
});

describe("the documents as a site of files", () => {
  const base = "https://docs.example.com/rollcall";

  it("lead only to files that are there, and to their sections", async () => {
    const files = await siteFiles(new URL(base));
    const made = new Set([
      ...files.keys(),
      "script.js",
      "pages.css",
      "icon.svg",
      "inter-license.txt",
    ]);
    let links = 0;
    for (const [name, content] of files) {
      if (!name.endsWith(".html")) continue;
      for (const [, link] of String(content).matchAll(/ (?:href|src|data-docs-index)="([^"]+)"/g)) {
        if (/^(https?|mailto):/.test(link)) continue;
        const [file, id] = link.split("#");
        assert.ok(made.has(file || name), `${name}: ${link}`);
        const target = String(files.get(file || name));
        if (id !== undefined) assert.ok(target.includes(` id="${id}"`), `${name}: ${link}`);
        links++;
      }
    }
    assert.ok(links > 2_000, String(links));
  });

  it("state their public addresses, in a list for search engines too", async () => {
    const files = await siteFiles(new URL(base));
    const sitemap = String(files.get("sitemap.xml"));
    for (const name of ["index.html", "settings.html"]) {
      assert.ok(sitemap.includes(`<loc>${base}/${name}</loc>`), sitemap.slice(0, 300));
      const html = String(files.get(name));
      assert.ok(html.includes(`<link rel="canonical" href="${base}/${name}"`), html.slice(0, 900));
      assert.match(html, /^<!DOCTYPE html><html lang="en">/);
    }
    assert.equal(sitemap.match(/<loc>/g)?.length, docsSources().length + 1);
  });
});

describe("the sections that pages, messages and the check lead to", () => {
  const folders = ["cli", "components", "http", "islands", "routes", "server", "shared"];
  const source = folders.map(sourcesIn).join("\n");
  const uses = [...source.matchAll(/\bdocsPath\(\s*"([^"]+)"(?:,\s*"([^"]+)")?,?\s*\)/g)];

  it("are there", async () => {
    const { docs } = await renderDocs();
    assert.ok(uses.length > 20, String(uses.length));
    for (const [, name, section] of uses) {
      const page = docs.pages.find((page) => page.name === name);
      assert.ok(page, `/docs/${name}`);
      const isThere = section === undefined || page.html.includes(` id="${section}"`);
      assert.ok(isThere, `/docs/${name}#${section}`);
    }
  });

  it("are no pages any more where a page moved to another", async () => {
    const { docs } = await renderDocs();
    const names = new Set(docs.pages.map(({ name }) => name));
    for (const name of movedDocs.keys()) assert.ok(!names.has(name), name);
  });

  it("are found by the names that they had, on the page that an old address leads to", async () => {
    const { docs } = await renderDocs();
    const pages = new Map(docs.pages.map((page) => [page.name, page]));
    const timesOf = (name: string, id: string) => pages.get(name)?.html.split(` id="${id}"`).length;
    for (const [name, sections] of Object.entries(movedSections)) {
      for (const [section, former] of Object.entries(sections)) {
        for (const id of [section, ...former]) assert.equal(timesOf(name, id), 2, `${name}#${id}`);
      }
    }
    assert.equal(movedDocs.get("connect"), "/docs/quickstart");
    const next = pages.get("quickstart")!.html.split(' id="names"')[1];
    assert.match(next, /^[^]*?<\/h2>\s*<ul>[^]*?href="[^"]*identify"/);
  });

  it("are named nowhere by a path in words", () => {
    assert.deepEqual(
      source.match(/["'`]\/docs\/[\w-]+#/g),
      null,
    );
  });

  it("are of each step of the check", () => {
    const steps = [...sourcesIn("server/check/steps").matchAll(/^ +name: "(\w+)"/gm)];
    assert.ok(steps.length >= 8, String(steps.length));
    for (const [, step] of steps) {
      assert.notEqual(stepDocsPath(step), stepDocsPath("no step"), step);
    }
    assert.equal(stepDocsPath("no step"), "/docs/check");
  });
});

/** What all files of a folder say. */
function sourcesIn(folder: string): string {
  return [...Deno.readDirSync(folder)].map(({ name, isDirectory }) =>
    isDirectory ? sourcesIn(`${folder}/${name}`) : Deno.readTextFileSync(`${folder}/${name}`)
  ).join("\n");
}
