import { HttpError, page } from "fresh";
import { DocsTextPage } from "@/components/docs/DocsPages.tsx";
import { builtDocs, docsFrame, docsHeaders } from "@/http/docs_view.ts";
import { filledPage } from "@/http/docs_example.ts";
import { define } from "@/http/state.ts";

/** A page of the documents. Its Markdown, and the files that it links to, are static files. */
export const handler = define.handlers({
  async GET(ctx) {
    const docs = await builtDocs(ctx.config);
    const found = docs.pages.find(({ name }) => name === ctx.params.name);
    if (!found) throw new HttpError(404, "The documentation has no such page.");
    ctx.state.title = found.title;
    const { html, app } = filledPage(ctx.state, found);
    const filled = { ...found, html };
    return page({ view: docsFrame(docs), page: filled, app }, { headers: docsHeaders });
  },
});

export default define.page<typeof handler>(({ data }) => <DocsTextPage {...data} />);
