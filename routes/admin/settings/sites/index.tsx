import { audited } from "@/server/audit/audit.ts";
import { SettingsPage } from "@/components/settings/SettingsPage.tsx";
import { answerCreation } from "@/http/link_forms.ts";
import { href } from "@/shared/address.ts";
import { mostSiteTags } from "@/shared/limits.ts";
import { define } from "@/http/state.ts";

/** Creates a site tag, and leads to its page, where its origins are entered. */
export const handler = define.handlers({
  GET: (ctx) => ctx.redirect(href("/admin/settings#sites"), 303),
  async POST(ctx) {
    const { session, siteTags } = ctx.state;
    return await answerCreation(ctx, {
      path: "/admin/settings/sites",
      noun: "site tags",
      most: mostSiteTags,
      create: (name) =>
        siteTags.create(
          { name, origins: [], createdBy: session?.user.id ?? "" },
          audited(ctx.state, "site_tag_created"),
        ),
      shown: (refusedSiteTag) => ({ refusedSiteTag }),
    });
  },
});

export default define.page<typeof handler>(({ data, state }) => (
  <SettingsPage csrfToken={state.csrfToken} view={data} />
));
