import { href } from "@/shared/address.ts";
import { docsGroups, type DocsPage, internalsGroup } from "@/shared/docs.ts";
import { type DocsHit, hitTitle } from "@/shared/docs_search.ts";
import { countText } from "@/shared/text.ts";
import { DocsFrame, type DocsFrameView } from "./DocsFrame.tsx";

/** A page of the documents. */
export function DocsTextPage({ view, page, app = null }: {
  view: DocsFrameView;
  page: DocsPage;
  /** The name of the reader's app that its code is filled in with; null for the example. */
  app?: string | null;
}) {
  const isOfItsKind = ({ group }: DocsPage) =>
    (group === internalsGroup) === (page.group === internalsGroup);
  const pages = view.pages.filter(isOfItsKind);
  const at = pages.findIndex(({ name }) => name === page.name);
  const [before, after] = [pages[at - 1], pages[at + 1]];
  return (
    <DocsFrame view={view} current={page.name} headings={page.headings}>
      {app && (
        <p class="notice soft">
          The code has the address, ID and key of <b>{app}</b>.{" "}
          <a href={href("/admin/settings/connect")}>Connect & apps</a> has its secret.
        </p>
      )}
      {/* The build makes it of Markdown in which it lets no HTML pass. */}
      <div class="stack" dangerouslySetInnerHTML={{ __html: page.html }} />
      <nav class="row between ruled" aria-label="Pages">
        {before ? <a rel="prev" href={view.addressOf(before.name)}>← {before.title}</a> : <span />}
        {after && <a rel="next" href={view.addressOf(after.name)}>{after.title} →</a>}
      </nav>
    </DocsFrame>
  );
}

/** The list of all pages of the documents. */
export function DocsHomePage({ view }: { view: DocsFrameView }) {
  return (
    <DocsFrame view={view}>
      <h1>Documentation</h1>
      {docsGroups(view.pages).map(({ title, pages }) => (
        <section class="stack tight" key={title}>
          <h2>{title}</h2>
          <dl class="stack tight">
            {pages.map(({ name, title, description }) => (
              <div key={name}>
                <dt>
                  <a href={view.addressOf(name)}>{title}</a>
                </dt>
                <dd class="soft">{description}</dd>
              </div>
            ))}
          </dl>
        </section>
      ))}
    </DocsFrame>
  );
}

/** What a search in the documents has found. */
export function DocsSearchPage({ view, hits }: { view: DocsFrameView; hits: readonly DocsHit[] }) {
  return (
    <DocsFrame view={view}>
      <h1>Search</h1>
      {view.query !== "" && (
        <p role="status">
          {hits.length === 0
            ? <>Nothing has all of these words: {view.query}</>
            : countText(hits.length, "result")}
        </p>
      )}
      <ol class="list rows">
        {hits.map((hit) => (
          <li key={`${hit.page}#${hit.anchor}`}>
            <a href={view.addressOf(hit.page, hit.anchor || undefined)}>{hitTitle(hit)}</a>
            <p class="soft">
              {hit.excerpt.map(({ text, isMatch }, index) =>
                isMatch ? <mark key={index}>{text}</mark> : text
              )}
            </p>
          </li>
        ))}
      </ol>
    </DocsFrame>
  );
}
