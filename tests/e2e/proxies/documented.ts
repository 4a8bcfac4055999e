import assert from "node:assert/strict";

const folder = new URL("../../../docs/", import.meta.url);

/** A text of a file, and what is put in its place. */
export type Change = [from: string, to: string];

/** A file of `docs/proxies/` as it is. */
export function readDocumented(file: string): Promise<string> {
  return Deno.readTextFile(new URL(`proxies/${file}`, folder));
}

/** The file with these changes. A text that is not in it is a fault of the documents. */
export async function documentedFile(file: string, changes: Change[]): Promise<string> {
  let text = await readDocumented(file);
  for (const [from, to] of changes) {
    assert.ok(text.includes(from), `docs/proxies/${file} has ${JSON.stringify(from)}`);
    text = text.replaceAll(from, to);
  }
  return text;
}

/** What `docs/proxies.md` says beneath a heading that is to be changed in a file. */
export async function documentedChanges(heading: string, file: string): Promise<Change[]> {
  const text = await Deno.readTextFile(new URL("proxies.md", folder));
  const [, section = ""] = text.split(`\n## ${heading}\n`);
  const [, diff = ""] = section.split("\n## ")[0].split(`\n\`${file}\`:\n\n\`\`\`diff\n`);
  const [lines] = diff.split("```");
  const changes = [...lines.matchAll(/((?:^-.*\n)+)((?:^\+.*\n)+)/gm)];
  assert.ok(changes.length > 0, `docs/proxies.md has changes of ${file} below "${heading}"`);
  return changes.map(([, from, to]) => [unmarked(from), unmarked(to)]);
}

/** Lines of a diff without what marks them. */
function unmarked(lines: string): string {
  return lines.trimEnd().split("\n").map((line) => line.slice(1)).join("\n");
}
