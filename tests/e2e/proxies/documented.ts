import assert from "node:assert/strict";

const folder = new URL("../../../docs/", import.meta.url);

/** A text of a file, and its replacement. */
export type Change = [from: string, to: string];

/** Reads a file of `docs/proxies/`. */
export function readDocumented(file: string): Promise<string> {
  return Deno.readTextFile(new URL(`proxies/${file}`, folder));
}

/** Reads a file of `docs/proxies/` and applies changes, whose texts must be in it. */
export async function documentedFile(file: string, changes: Change[]): Promise<string> {
  let text = await readDocumented(file);
  for (const [from, to] of changes) {
    assert.ok(text.includes(from), `docs/proxies/${file} has ${JSON.stringify(from)}`);
    text = text.replaceAll(from, to);
  }
  return text;
}

/** Reads the changes of a file that `docs/proxies.md` describes below a heading. */
export async function documentedChanges(heading: string, file: string): Promise<Change[]> {
  const text = await Deno.readTextFile(new URL("proxies.md", folder));
  const [, section = ""] = text.split(`\n## ${heading}\n`);
  const [, diff = ""] = section.split("\n## ")[0].split(`\n\`${file}\`:\n\n\`\`\`diff\n`);
  const [lines] = diff.split("```");
  const changes = [...lines.matchAll(/((?:^-.*\n)+)((?:^\+.*\n)+)/gm)];
  assert.ok(changes.length > 0, `docs/proxies.md has changes of ${file} below "${heading}"`);
  return changes.map(([, from, to]) => [unmarked(from), unmarked(to)]);
}

/** Lines of a diff, without their first characters. */
function unmarked(lines: string): string {
  return lines.trimEnd().split("\n").map((line) => line.slice(1)).join("\n");
}
