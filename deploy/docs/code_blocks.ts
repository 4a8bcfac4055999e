import type { Token, Tokens } from "marked";
import { escapeHtml } from "@/shared/text.ts";

/** The languages of code blocks, as readers call them. */
const languages: Readonly<Record<string, string>> = {
  crontab: "crontab",
  diff: "Change",
  dotenv: ".env",
  go: "Go",
  html: "HTML",
  ini: "Settings",
  js: "JavaScript",
  json: "JSON",
  jsx: "React",
  markdown: "Markdown",
  php: "PHP",
  promql: "PromQL",
  python: "Python",
  ruby: "Ruby",
  sh: "Shell",
  svelte: "Svelte",
  ts: "TypeScript",
  tsx: "React",
  vue: "Vue",
  yaml: "YAML",
};

/** Languages of which a reader needs one, where several stand one below the other. */
const alternatives = new Set([
  "go",
  "html",
  "js",
  "jsx",
  "markdown",
  "php",
  "python",
  "ruby",
  "svelte",
  "ts",
  "tsx",
  "vue",
]);

/** The HTML of a block of code. Its label is its language, or `title="…"` behind that of the fence. */
export function codeBlock({ text, lang }: Tokens.Code): string {
  const label = escapeHtml(labelOf(lang));
  return `<figure class="code-block"><figcaption><span>${label}</span></figcaption>` +
    `<pre tabindex="0"><code>${escapeHtml(text)}\n</code></pre></figure>\n`;
}

function labelOf(info = ""): string {
  const [language] = info.split(" ");
  return titleOf(info) ?? languages[language] ?? "Text";
}

function titleOf(info: string): string | undefined {
  return /\btitle="([^"]+)"/.exec(info)?.[1];
}

/** Tokens one after the other, and whether they are blocks of which a reader needs one. */
interface Part {
  tokens: Token[];
  isTabs: boolean;
}

/**
 * Finds the groups of code blocks that become tabs: blocks with nothing between them, each of another language,
 * all of them languages for the same purpose or named by a `title`.
 */
export function tabs(tokens: readonly Token[]): Part[] {
  const parts: Part[] = [];
  for (let at = 0; at < tokens.length; at++) {
    const group = groupAt(tokens, at);
    if (group) {
      parts.push({ tokens: group.blocks, isTabs: true });
      at = group.last;
    } else {
      parts.push({ tokens: [tokens[at]], isTabs: false });
    }
  }
  return parts;
}

function groupAt(
  tokens: readonly Token[],
  from: number,
): { blocks: Tokens.Code[]; last: number } | null {
  const blocks: Tokens.Code[] = [];
  let last = from;
  for (let at = from; at < tokens.length; at++) {
    const token = tokens[at];
    if (token.type === "code") {
      blocks.push(token as Tokens.Code);
      last = at;
    } else if (blocks.length === 0 || !["space", "html"].includes(token.type)) break;
  }
  const labels = new Set(blocks.map(({ lang }) => labelOf(lang)));
  const isGroup = blocks.length > 1 && labels.size === blocks.length &&
    blocks.every(({ lang = "" }) => titleOf(lang) || alternatives.has(lang));
  return isGroup ? { blocks, last } : null;
}
