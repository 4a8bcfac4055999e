import { STATUS_CODE } from "@std/http/status";
import { HttpError, page } from "fresh";
import { audited } from "@/server/audit/audit.ts";
import { SiteTagPage } from "@/components/site/SiteTags.tsx";
import { readSiteTagSettings } from "@/server/site/stored_site_tags.ts";
import { siteTagInputOf, siteTagView } from "@/http/settings_view.ts";
import { refuse, wantsJson } from "@/http/rejection.ts";
import ConnectGuides from "@/islands/ConnectGuides.tsx";
import { href } from "@/shared/address.ts";
import { define } from "@/http/state.ts";
import { text } from "@/shared/language.ts";

/** A site tag: its origins, and the code to copy. */
export const handler = define.handlers({
  async GET(ctx) {
    const tag = await ctx.state.siteTags.find(ctx.params.id);
    if (!tag) throw new HttpError(404, missingText());
    ctx.state.title = tag.name;
    const done = ctx.url.searchParams.get("done") === "saved" ? text`Site tag saved.` : "";
    return page(siteTagView(ctx.state, ctx.url, tag, { done }));
  },
  async POST(ctx) {
    const { siteTags } = ctx.state;
    const tag = await siteTags.find(ctx.params.id);
    if (!tag) throw new HttpError(404, missingText());
    const input = siteTagInputOf(ctx.state.input);
    const entered = readSiteTagSettings(input);
    if (!entered.ok) {
      const status = STATUS_CODE.UnprocessableEntity;
      if (wantsJson(ctx.req)) return refuse(status, "invalid", entered.message);
      ctx.state.title = tag.name;
      return page(siteTagView(ctx.state, ctx.url, tag, { input, refusal: entered }), { status });
    }
    const { settings } = entered;
    const details = { origins: settings.origins.join(" ") };
    const changed = await siteTags.change(
      tag.id,
      settings,
      audited(ctx.state, "site_tag_changed", details),
    );
    if (!changed) throw new HttpError(404, missingText());
    return ctx.redirect(href(`/admin/settings/sites/${tag.id}?done=saved`), 303);
  },
});

function missingText(): string {
  return text`This site tag no longer exists.`;
}

export default define.page<typeof handler>(({ data: { view, code }, state }) => (
  <SiteTagPage csrfToken={state.csrfToken} view={view} code={<ConnectGuides guides={code} />} />
));
