import { strict as assert } from "node:assert";
import { join } from "node:path/posix";
import { it } from "@std/testing/bdd";
import { codeFiles, readImports } from "./imports.ts";
import { ringOf, rings } from "./rings.ts";

const files = codeFiles(rings);
const sources = files.map((file) => Deno.readTextFileSync(file));
const lines = new Map(files.map((file, index) => [file, sources[index].split("\n").length - 1]));
const imports = readImports(files);

/** A folder or file that a build, an installation or a run makes, as `.gitignore` has them; and `.git`. */
const made =
  /(?:^|\/)(?:_fresh|data|dist|node_modules|\.env)$|^(?:\.git|screenshots|static\/(?:\w+\.css|docs|languages)|components\/connection\/pusher_js\.js)$/;

const root = [...Deno.readDirSync(".")].filter(({ name }) => !made.test(name));

/** How many files the repository has at and below a folder. */
function filesBelow(folder: string): number {
  const paths = [...Deno.readDirSync(folder)]
    .map(({ name, isDirectory }) => ({ path: join(folder, name), isDirectory }));
  return paths.filter(({ path }) => !made.test(path))
    .reduce((sum, { path, isDirectory }) => sum + (isDirectory ? filesBelow(path) : 1), 0);
}

function occurrences(pattern: RegExp): number {
  return sources.flatMap((source) => source.match(pattern) ?? []).length;
}

function filesWith(pattern: RegExp): number {
  return sources.filter((source) => pattern.test(source)).length;
}

function fanOut(): number {
  const count = new Map<string, Set<string>>();
  for (const { from, to } of imports) count.set(from, (count.get(from) ?? new Set()).add(to));
  return Math.max(...[...count.values()].map((targets) => targets.size));
}

function sharedNames(): number {
  const names = files.filter((file) => ringOf(file) !== "routes")
    .map((file) => file.slice(file.lastIndexOf("/") + 1));
  return new Set(names.filter((name, index) => names.indexOf(name) !== index)).size;
}

/** Numbers of the program's shape that may fall and must not grow. */
const shape: [what: string, count: number, most: number][] = [
  ["folders in the root", root.filter(({ isDirectory }) => isDirectory).length, 16],
  ["files in the root", root.filter(({ isFile }) => isFile).length, 12],
  ["files of the repository", filesBelow("."), 1_745],
  ["files of the program", files.length, 749],
  // Apart, as they run in pages of others, and no server loads them.
  ["files of the client package", codeFiles(["packages/client"]).length, 17],
  [
    "files below 25 lines, routes apart",
    files.filter((file) => ringOf(file) !== "routes" && lines.get(file)! < 25).length,
    30,
  ],
  ["lines of the longest file", Math.max(...lines.values()), 385],
  [
    "lines of tools",
    codeFiles(["tools"]).reduce(
      (sum, file) => sum + Deno.readTextFileSync(file).split("\n").length,
      0,
    ),
    8_879,
  ],
  [
    "pairs of rings of which one imports from the other",
    new Set(
      imports.map(({ from, to }) => `${ringOf(from)} ${ringOf(to)}`)
        .filter((pair) => new Set(pair.split(" ")).size > 1),
    ).size,
    29,
  ],
  ["files that one file imports", fanOut(), 26],
  ["interfaces of options", occurrences(/^(?:export )?interface \w+Options\b/gm), 40],
  ["picks of types", occurrences(/\bPick</g), 63],
  ["files that know since when numbers are stale", filesWith(/\bstaleSince\b/), 12],
  ["names that several files have, routes apart", sharedNames(), 7],
  [
    "lines of style sheets",
    [...Deno.readDirSync("components/styles")].reduce(
      (sum, { name }) =>
        sum + Deno.readTextFileSync(`components/styles/${name}`).split("\n").length - 1,
      0,
    ),
    1_999,
  ],
  ["bytes of CONTRIBUTING.md", Deno.statSync("CONTRIBUTING.md").size, 15_000],
];

for (const [what, count, most] of shape) {
  it(`the program has at most ${most} ${what}`, () => assert.ok(count <= most, `${count}`));
}
