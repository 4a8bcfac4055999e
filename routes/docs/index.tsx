import { page } from "fresh";
import { DocsHomePage } from "@/components/docs/DocsPages.tsx";
import { builtDocs, docsFrame, docsHeaders } from "@/http/docs_view.ts";
import { define } from "@/http/state.ts";

/** The documents' list of pages, for everyone: they are of the version, not of the installation. */
export const handler = define.handlers({
  async GET(ctx) {
    ctx.state.title = "Documentation";
    return page(docsFrame(await builtDocs(ctx.config)), { headers: docsHeaders });
  },
});

export default define.page<typeof handler>(({ data }) => <DocsHomePage view={data} />);
