import type { ComponentChildren } from "preact";
import { docsGroups, type DocsHeading, type DocsPage, internalsGroup } from "@/shared/docs.ts";
import { maxDocsQuery } from "@/shared/docs_search.ts";

/** What is around each page of the documents. */
export interface DocsFrameView {
  pages: readonly DocsPage[];
  /** What the reader has searched for. */
  query: string;
  /** The address of a page, or of a section of it. */
  addressOf: (page: string, section?: string) => string;
  /** The address of the list of all pages. */
  home: string;
  /** The address that answers searches; undefined where none does, and only script can search. */
  search?: string;
  /** The address of what a search in the browser looks through. */
  index: string;
  /** The address of the script of these pages. */
  script: string;
}

/** The documents' navigation and search, and beside them a page. */
export function DocsFrame({ view, current, headings = [], children }: {
  view: DocsFrameView;
  /** The name of the page. */
  current?: string;
  /** Those of the page. */
  headings?: readonly DocsHeading[];
  children: ComponentChildren;
}) {
  return (
    <div class="stack docs" lang="en" dir="ltr">
      <div class="stack tight">
        <SearchForm view={view} />
        <details class="fold">
          <summary>All pages</summary>
        </details>
        <nav class="picks" aria-label="Documentation">
          {docsGroups(view.pages.filter(({ group }) => group !== internalsGroup)).map((
            { title, pages },
          ) => (
            <section key={title}>
              <h2>{title}</h2>
              <ul>
                {pages.map((page) => (
                  <li key={page.name}>
                    <a
                      href={view.addressOf(page.name)}
                      aria-current={page.name === current ? "page" : "false"}
                    >
                      {page.title}
                    </a>
                  </li>
                ))}
              </ul>
            </section>
          ))}
        </nav>
      </div>
      {headings.length > 1 && <Contents headings={headings} />}
      <article class="card prose">{children}</article>
      <script type="module" src={view.script} />
    </div>
  );
}

function SearchForm({ view }: { view: DocsFrameView }) {
  const { query, search, index } = view;
  return (
    <form
      class={search === undefined ? "search with-script" : "search"}
      role="search"
      action={search}
      data-docs-index={index}
      data-docs-address={view.addressOf("NAME")}
    >
      <input
        type="search"
        name="q"
        value={query}
        maxLength={maxDocsQuery}
        aria-label="Search the documentation"
        placeholder="Search"
        autoComplete="off"
      />
      {search !== undefined && <button class="button button-quiet" type="submit">Search</button>}
    </form>
  );
}

function Contents({ headings }: { headings: readonly DocsHeading[] }) {
  return (
    <div>
      <details class="fold">
        <summary>On this page</summary>
      </details>
      <nav class="picks" aria-label="On this page">
        <h2>On this page</h2>
        <ul>
          {headings.map(({ id, text, depth }) => (
            <li key={id} data-depth={depth}>
              <a href={`#${id}`} aria-current="false">{text}</a>
            </li>
          ))}
        </ul>
      </nav>
    </div>
  );
}
