import { strict as assert } from "node:assert";
import { it } from "@std/testing/bdd";

/** The style sheets, without comments; that of the tokens alone may state colours and sizes. */
const folder = "components/styles";
const tokens = "tokens.css";
const sheets = [...Deno.readDirSync(folder)].map(({ name }) => ({
  name,
  text: Deno.readTextFileSync(`${folder}/${name}`).replace(/\/\*[^]*?\*\//g, ""),
}));
const stated = sheets.find(({ name }) => name === tokens)!.text;
const composed = sheets.filter(({ name }) => name !== tokens);

/** The parts of a text that match, each with the name of its sheet. */
function found(pattern: RegExp, { name, text }: typeof sheets[number]): string[] {
  return [...text.matchAll(pattern)].map(([match]) => `${name}: ${match.trim()}`);
}

function refuse(pattern: RegExp): void {
  assert.deepEqual(composed.flatMap((sheet) => found(pattern, sheet)), []);
}

it("only the tokens state a colour", () => {
  refuse(/#[\da-f]{3,8}\b(?=[^{]*[;}])|\b(?:rgba?|hsla?|hwb|lab|lch|oklab|oklch|light-dark)\(.*/gi);
  refuse(/(?:^|[\s-])(?:color|background|fill|stroke):\s*(?:white|black|red|gr[ae]y|green)\b/gm);
});

it("only the tokens state a size in px or rem, apart from lines", () => {
  const lines = /\b(?:border|outline)[\w-]*:[^;]*;|inset 0 0 0 1px|0 1px var|1px\)|: 1px;|\+ 1px/g;
  for (const { name, text } of composed) {
    const sizes = found(/[^;{]*\b\d*\.?\d+(?:px|rem)\b/g, { name, text: text.replace(lines, "") });
    assert.deepEqual(sizes.filter((size) => !/@media/.test(size) && !/\b0rem/.test(size)), []);
  }
});

it("type has one of six sizes, apart from a wallboard, whose type follows the window", () => {
  assert.equal(stated.match(/--text-\d:/g)?.length, 6);
  const free = composed.filter(({ name }) => name !== "wallboard.css");
  const sizes = free.flatMap((sheet) => found(/font-size:[^;]*/g, sheet));
  const allowed = /: (?:inherit|0|(?:min|max|calc)?\(?var\(--(?:text-\d|mark)\)[^;]*)$/;
  assert.deepEqual(sizes.filter((size) => !allowed.test(size)), []);
});

it("distances are among six, and corners among two", () => {
  assert.equal(stated.match(/--space-\d:/g)?.length, 6);
  assert.equal(stated.match(/--radius[\w-]*:/g)?.length, 2);
  refuse(/border-radius: (?!0|var\(--radius|50%|9em)[^;]*/g);
});

it("media queries know three widths, which the tokens name", () => {
  const named = [...stated.matchAll(/--(?:smallest|narrow|wide): ([\d.]+rem)/g)]
    .map(([, width]) => width);
  assert.equal(named.length, 3);
  for (const sheet of sheets) {
    for (const [query] of sheet.text.matchAll(/@media[^{]*/g)) {
      for (const [width] of query.matchAll(/[\d.]+(?:rem|px|em)/g)) {
        assert.ok(named.includes(width), `${sheet.name}: ${query}`);
      }
    }
  }
});

it("a style sheet names no class that no page has", () => {
  const pages = ["components", "islands", "routes", "http", "shared", "server"].map(sourcesIn)
    .join();
  const names = new Set(
    sheets.flatMap(({ text }) => [...text.matchAll(/\.([a-z][\w-]*)(?=[^{}]*\{)/g)])
      .map(([, name]) => name),
  );
  // Some end in a value, as those of statuses.
  const beginnings = [...pages.matchAll(/([a-z][\w-]*-)\$\{/g)].map(([, name]) => name);
  const unused = [...names].filter((name) =>
    !new RegExp(`\\b${name}\\b`).test(pages) &&
    !beginnings.some((beginning) => name.startsWith(beginning))
  );
  assert.deepEqual(unused, []);
});

/** What all components and scripts of a folder say. */
function sourcesIn(folder: string): string {
  return [...Deno.readDirSync(folder)].map(({ name, isDirectory }) =>
    isDirectory
      ? sourcesIn(`${folder}/${name}`)
      : /\.tsx?$/.test(name)
      ? Deno.readTextFileSync(`${folder}/${name}`)
      : ""
  ).join();
}

/** The selectors of a sheet, each with the ones around it. */
function selectorsIn(text: string): string[] {
  const around: string[] = [];
  const selectors: string[] = [];
  for (const [, head, end] of text.matchAll(/([^{};]*)([{};])/g)) {
    if (end === "}") around.pop();
    if (end !== "{") continue;
    around.push(head.trim());
    selectors.push(around.filter((one) => !one.startsWith("@")).join(" "));
  }
  return selectors;
}

/** The inside of parentheses, with two levels of them within. */
const inside = String.raw`\((?:[^()]|\((?:[^()]|\([^()]*\))*\))*\)`;

/** Whether a selector asks what is inside an element, and styles others below or after it without a name of theirs. */
function stylesUnnamed(selector: string): boolean {
  const marked = selector
    .replace(new RegExp(`:not${inside}`, "g"), (part) => part.includes(":has(") ? "§" : "")
    .replace(new RegExp(`:has${inside}`, "g"), "§")
    .replace(new RegExp(`:(?:is|where)${inside}`, "g"), ".named")
    .replace(/::?[\w-]+/g, "");
  const [, ...after] = marked.split("§");
  return after.join("").split(/[\s>+~]+/).slice(1).some((part) => part === "" || part === "*");
}

it("a rule with `:has()` says by name what it styles: else each change restyles the whole page", () => {
  for (const { name, text } of sheets) {
    assert.deepEqual(selectorsIn(text).filter(stylesUnnamed), [], name);
  }
});
