import assert from "node:assert/strict";
import { markdownBelow } from "@/deploy/docs/order.ts";

/** Text right before a block that is not run; the reason follows. */
const mark = "Not run by the tests";

/** A fenced block of a document. */
export interface CodeBlock {
  /** The document, such as `docs/laravel.md`. */
  path: string;
  /** The nearest heading above it. */
  heading: string;
  language: string;
  /** The name of its file, where the fence has one. */
  title?: string;
  text: string;
  /** The line of its fence, from 1. */
  line: number;
  /** Whether the text right before it says that the tests do not run it. */
  isMarked: boolean;
}

/** The paths of all documents that are written for readers, sorted. */
export function documentPaths(): string[] {
  const top = [...Deno.readDirSync(".")].map(({ name }) => name)
    .filter((name) => name.endsWith(".md"));
  return [...top, ...markdownBelow("docs")].sort();
}

/** All blocks of all documents, and which of them a test has taken. */
export class CodeBlocks {
  readonly all: readonly CodeBlock[] = documentPaths().flatMap((path) =>
    blocksOf(path, Deno.readTextFileSync(path))
  );
  readonly #taken = new Set<CodeBlock>();

  /** The one block of a document that is in this language and contains this text. */
  take(path: string, language: string, part: string): CodeBlock {
    const found = this.#free().filter((block) =>
      block.path === path && block.language === language && block.text.includes(part)
    );
    assert.equal(found.length, 1, `${path} has one ${language} block with ${JSON.stringify(part)}`);
    this.#taken.add(found[0]);
    return found[0];
  }

  /** All blocks of a document that are files, by their titles. */
  takeTitled(path: string): CodeBlock[] {
    const found = this.#free().filter((block) => block.path === path && block.title !== undefined);
    for (const block of found) this.#taken.add(block);
    return found;
  }

  /** All blocks of a language that are not marked and not taken yet. */
  takeAll(language: string): CodeBlock[] {
    const found = this.#free().filter((block) => block.language === language);
    for (const block of found) this.#taken.add(block);
    return found;
  }

  /** Where the blocks are that no test has taken and that do not say so. */
  get forgotten(): string[] {
    return this.#free().map(nameOf);
  }

  #free(): CodeBlock[] {
    return this.all.filter((block) => !block.isMarked && !this.#taken.has(block));
  }
}

/** Such as `docs/laravel.md:12, Settings (dotenv)`. */
export function nameOf({ path, line, heading, language }: CodeBlock): string {
  return `${path}:${line}, ${heading} (${language || "no language"})`;
}

/** The blocks of one document; a fence may be indented, as in a list. */
export function blocksOf(path: string, markdown: string): CodeBlock[] {
  const blocks: CodeBlock[] = [];
  const lines = markdown.split("\n");
  let heading = "";
  let paragraph: string[] = [];
  for (let at = 0; at < lines.length; at++) {
    const fence = /^( *)(`{3,}|~{3,})(\S*)/.exec(lines[at]);
    if (fence) {
      const [, indent, ticks, language] = fence;
      const end = lines.findIndex((line, index) => index > at && line.trim() === ticks);
      assert.ok(end > at, `${path}:${at + 1}: the block has an end`);
      const text = lines.slice(at + 1, end).map((line) => `${line.slice(indent.length)}\n`).join(
        "",
      );
      const isMarked = paragraph.join(" ").includes(mark);
      const title = /\btitle="([^"]+)"/.exec(lines[at])?.[1];
      blocks.push({ path, heading, language, title, text, line: at + 1, isMarked });
      at = end;
      paragraph = [];
    } else if (lines[at].trim() !== "") {
      heading = /^#+ (.*)/.exec(lines[at])?.[1] ?? heading;
      // A paragraph begins after an empty line.
      if (at > 0 && lines[at - 1].trim() === "") paragraph = [];
      paragraph.push(lines[at]);
    }
  }
  return blocks;
}
