import { page } from "fresh";
import { DocsSearchPage } from "@/components/docs/DocsPages.tsx";
import { builtDocs, docsFrame, docsHeaders } from "@/http/docs_view.ts";
import { define } from "@/http/state.ts";
import { maxDocsQuery, searchDocs } from "@/shared/docs_search.ts";

/** What a search in the documents finds, by the parameter `q`. */
export const handler = define.handlers({
  async GET(ctx) {
    const query = (ctx.url.searchParams.get("q") ?? "").trim().slice(0, maxDocsQuery);
    const docs = await builtDocs(ctx.config);
    ctx.state.title = "Search the documentation";
    const hits = searchDocs(docs.sections, query);
    return page({ view: docsFrame(docs, query), hits }, { headers: docsHeaders });
  },
});

export default define.page<typeof handler>(({ data }) => <DocsSearchPage {...data} />);
