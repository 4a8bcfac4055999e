import { dirname, join } from "node:path/posix";
import { Marked, type Token, type Tokens } from "marked";
import { movedSections } from "@/http/moved_docs.ts";
import type { DocsHeading, DocsPage, DocsSection } from "@/shared/docs.ts";
import { escapeHtml } from "@/shared/text.ts";
import { codeBlock, tabs } from "./code_blocks.ts";
import type { DocsSource } from "./order.ts";

/** What a link of a document leads to, within the repository. */
export interface Target {
  /** The path of the file in the repository. */
  path: string;
  /** With "#"; empty without one. */
  anchor: string;
}

/** A document as a page, and what goes with it. */
export interface RenderedPage {
  page: DocsPage;
  sections: DocsSection[];
  /** The same page as Markdown, whose links lead to where these documents are. */
  markdown: string;
}

/**
 * Renders a document of the repository. Its Markdown may have no HTML but comments, which are left out, and
 * `<a id="…"></a>`, where a row of a table begins that links lead to; and links to http, https and files of the repository only.
 *
 * @param addressOf the address of a target: of a page, or of its Markdown.
 * @throws {Error} that names the document, for what may not be in it.
 */
export function renderPage(
  source: DocsSource,
  text: string,
  addressOf: (target: Target, kind: "page" | "markdown") => string,
): RenderedPage {
  const slugs = new Slugs();
  const fail = (fault: string): never => {
    throw new Error(`${source.path}: ${fault}`);
  };
  const resolved = (href: string, kind: "page" | "markdown") => {
    if (/^(https?:\/\/|mailto:|#)/.test(href)) return href;
    if (/^[a-z][a-z+.-]*:|^\//i.test(href)) return fail(`a link to ${href} is not allowed`);
    const [path, anchor] = href.split("#");
    const target = path === "" ? source.path : join(dirname(source.path), path);
    return addressOf({ path: target, anchor: anchor === undefined ? "" : `#${anchor}` }, kind);
  };
  const links = new Set<string>();
  const marked = new Marked({
    renderer: {
      html: ({ raw }) =>
        isComment(raw)
          ? ""
          : isAnchor(raw)
          ? raw
          : fail(`HTML is not rendered: ${raw.trim().slice(0, 60)}`),
      heading({ tokens, depth }) {
        const id = slugs.next(plainText(tokens));
        const anchor = depth === 1
          ? ""
          : ` <a class="plain anchor" href="#${id}" aria-hidden="true" tabindex="-1">#</a>`;
        const former = (movedSections[source.name]?.[id] ?? []).map((id) => `<a id="${id}"></a>`);
        const content = former.join("") + this.parser.parseInline(tokens) + anchor;
        return `<h${depth} id="${id}">${content}</h${depth}>\n`;
      },
      code: codeBlock,
      table(table) {
        return tableHtml(table, (tokens) => this.parser.parseInline(tokens));
      },
      link({ href, tokens }) {
        links.add(href);
        return `<a href="${escapeHtml(resolved(href, "page"))}">${
          this.parser.parseInline(tokens)
        }</a>`;
      },
      image({ href, text }) {
        links.add(href);
        if (/^https?:/.test(href)) fail(`a picture of another site is not allowed: ${href}`);
        if (text === "") fail(`the picture ${href} needs a text`);
        const address = escapeHtml(resolved(href, "page"));
        return `<img src="${address}" alt="${escapeHtml(text)}" loading="lazy">`;
      },
    },
  });
  const tokens = marked.lexer(text);
  const html = tabs(tokens).map((part) =>
    part.isTabs
      ? `<div class="stack tight tabs">${
        part.tokens.map((token) => `<div>${marked.parser([token])}</div>`).join("")
      }</div>\n`
      : marked.parser(part.tokens)
  ).join("");
  const sections = sectionsOf(source, tokens);
  const [{ title }] = sections;
  let markdown = text;
  for (const href of links) {
    markdown = markdown.replaceAll(`](${href})`, () => `](${resolved(href, "markdown")})`);
  }
  return {
    page: {
      name: source.name,
      title,
      description: firstSentence(tokens),
      group: source.group,
      headings: headingsOf(tokens),
      html,
    },
    sections,
    markdown,
  };
}

/** The ids of a page's headings, as GitHub makes them. */
class Slugs {
  readonly #counts = new Map<string, number>();

  next(heading: string): string {
    const slug = heading.toLowerCase().replace(/[^\p{L}\p{N}\s_-]/gu, "").replaceAll(" ", "-");
    const count = this.#counts.get(slug) ?? 0;
    this.#counts.set(slug, count + 1);
    return count === 0 ? slug : `${slug}-${count}`;
  }
}

function isHeading(token: Token): token is Tokens.Heading {
  return token.type === "heading";
}

function headingsOf(tokens: readonly Token[]): DocsHeading[] {
  const slugs = new Slugs();
  return tokens.filter(isHeading).map(({ depth, tokens }) => {
    const text = plainText(tokens);
    return { depth, text, id: slugs.next(text) };
  }).filter(({ depth }) => depth === 2 || depth === 3);
}

function sectionsOf({ name, path }: DocsSource, tokens: readonly Token[]): DocsSection[] {
  const slugs = new Slugs();
  const sections: DocsSection[] = [];
  let current: DocsSection | undefined;
  for (const token of tokens) {
    if (isHeading(token)) {
      const text = plainText(token.tokens);
      const anchor = slugs.next(text);
      const isFirst = sections.length === 0;
      const title = isFirst ? text : sections[0].title;
      const place = isFirst ? { anchor: "", heading: "" } : { anchor, heading: text };
      sections.push(current = { page: name, title, ...place, text: "" });
    } else if (current) {
      const rows = token.type === "table" ? anchoredRows(token as Tokens.Table) : [];
      const { title } = current;
      sections.push(...rows.map((row) => ({ page: name, title, ...row })));
      if (rows.length > 0) continue;
      current.text = `${current.text} ${plainText([token])}`.replace(/\s+/g, " ").trim();
    }
  }
  if (sections.length === 0) throw new Error(`${path}: it has no title`);
  return sections;
}

/** The rows of a table that begin with a place that links lead to, as sections; none where not all do. */
function anchoredRows({ rows }: Tokens.Table): Pick<DocsSection, "anchor" | "heading" | "text">[] {
  const found = rows.flatMap(([head, ...cells]) => {
    const [, anchor] = /^<a id="([^"]+)">/.exec(head.text) ?? [];
    const text = cells.map((cell) => plainText(cell.tokens)).join(" ").replace(/\s+/g, " ").trim();
    return anchor === undefined ? [] : [{ anchor, heading: plainText(head.tokens), text }];
  });
  return found.length === rows.length ? found : [];
}

/** The text of tokens, without their form. */
function plainText(tokens: readonly Token[]): string {
  return tokens.map((token): string => {
    if (token.type === "html") return "";
    if (token.type === "table") {
      const { header, rows } = token as Tokens.Table;
      return [header, ...rows].flat().map((cell) => plainText(cell.tokens)).join(" ");
    }
    if (token.type === "list") {
      return (token as Tokens.List).items.map((item) => plainText(item.tokens)).join(" ");
    }
    if ("tokens" in token && token.tokens) {
      return plainText(token.tokens) + (isBlock(token) ? " " : "");
    }
    return "text" in token ? unescaped(String(token.text)) : " ";
  }).join("");
}

function isBlock({ type }: Token): boolean {
  return type === "paragraph" || type === "blockquote";
}

/** The lexer leaves entities in texts; these are those that documents write. */
function unescaped(text: string): string {
  return text.replaceAll("&lt;", "<").replaceAll("&gt;", ">").replaceAll("&amp;", "&");
}

function firstSentence(tokens: readonly Token[]): string {
  const paragraph = tokens.find(({ type }) => type === "paragraph");
  const text = paragraph ? plainText([paragraph]).replace(/\s+/g, " ").trim() : "";
  const [sentence] = /^.*?[.:](?=\s|$)/.exec(text.replace(/^What you get: /, "")) ?? [text];
  return sentence.charAt(0).toUpperCase() + sentence.slice(1).replace(/:$/, ".");
}

/** A place that links lead to, in a row of a table: GitHub knows it, too. */
function isAnchor(html: string): boolean {
  return /^(<a id="[a-z0-9_-]+">|<\/a>)$/.test(html);
}

function isComment(html: string): boolean {
  return /^\s*(<!--(?:(?!-->)[^])*-->\s*)+$/.test(html);
}

/** A table; on a phone the first cell of a row is its head, and the others have the names of their columns. */
function tableHtml(
  { header, rows }: Tokens.Table,
  inline: (tokens: Token[]) => string,
): string {
  const names = header.map(({ tokens }) => escapeHtml(plainText(tokens)));
  const head = header.map(({ tokens }) => `<th scope="col">${inline(tokens)}</th>`).join("");
  const body = rows.map((row) => {
    const cells = row.map(({ tokens }, index) =>
      index === 0
        ? `<th scope="row">${inline(tokens)}</th>`
        : `<td${names[index] && ` data-label="${names[index]}"`}>${inline(tokens)}</td>`
    );
    return `<tr>${cells.join("")}</tr>`;
  });
  return `<table class="table"><thead><tr>${head}</tr></thead><tbody>${
    body.join("\n")
  }</tbody></table>\n`;
}
