import { page } from "fresh";
import { audited } from "@/server/audit/audit.ts";
import { SiteTagsPage } from "@/components/site/SiteTags.tsx";
import { answerCreation } from "@/http/link_forms.ts";
import { siteTagsView } from "@/http/settings_view.ts";
import { mostSiteTags } from "@/shared/limits.ts";
import { define } from "@/http/state.ts";
import { text } from "@/shared/language.ts";

/** Lists the site tags; a POST creates one, and leads to its page, where its origins are entered. */
export const handler = define.handlers({
  async GET(ctx) {
    const isRevoked = ctx.url.searchParams.get("done") === "revoked";
    return page(await siteTagsView(ctx.state, { done: isRevoked ? text`Site tag revoked.` : "" }));
  },
  async POST(ctx) {
    const { session, siteTags } = ctx.state;
    return await answerCreation(ctx, {
      path: "/admin/settings/sites",
      tooMany: () => text`You've reached ${mostSiteTags} site tags. Revoke one first.`,
      create: (name) =>
        siteTags.create(
          { name, origins: [], createdBy: session?.user.id ?? "" },
          audited(ctx.state, "site_tag_created"),
        ),
      shown: (refused) => siteTagsView(ctx.state, { refused }),
    });
  },
});

export default define.page<typeof handler>(({ data, state }) => (
  <SiteTagsPage csrfToken={state.csrfToken} view={data} />
));
