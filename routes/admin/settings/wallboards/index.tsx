import { STATUS_CODE } from "@std/http/status";
import { page } from "fresh";
import { audited } from "@/server/audit/audit.ts";
import { href } from "@/shared/address.ts";
import { DisplaysPage } from "@/components/settings/DisplaysPage.tsx";
import { define } from "@/http/state.ts";
import CopyField from "@/islands/CopyField.tsx";
import { refuse, wantsJson } from "@/http/rejection.ts";
import { publicOrigin, textField } from "@/http/request.ts";
import { displaysView } from "@/http/settings_view.ts";
import { text } from "@/shared/language.ts";
import { richText } from "@/shared/long_text.ts";

/**
 * Makes a wallboard link. Its URL is in the answer and nowhere else, so the answer is a page and not a
 * redirect.
 */
export const handler = define.handlers({
  GET: (ctx) => ctx.redirect(href("/admin/settings/displays"), 303),
  async POST(ctx) {
    const { state } = ctx;
    const name = textField(state.input, "name").trim();
    const activity = state.input.activity === "shown" ? "shown" : "none";
    const created = await state.wallboards.create(
      { name, activity, createdBy: state.session?.user.id ?? "" },
      audited(state, "wallboard_link_created"),
    );
    const status = created.ok ? STATUS_CODE.Created : STATUS_CODE.UnprocessableEntity;
    if (!created.ok && wantsJson(ctx.req)) return refuse(status, created.reason, created.message);
    const made = created.ok
      ? { name, address: publicOrigin(state.config, ctx.url) + href(`/wallboard/${created.token}`) }
      : null;
    const refusedName = created.ok
      ? undefined
      : { name, isChosen: activity === "shown", error: created.message };
    return page({ made, view: await displaysView(state, { refusedName }) }, { status });
  },
});

export default define.page<typeof handler>(({ data: { made, view }, state }) => (
  <DisplaysPage
    csrfToken={state.csrfToken}
    view={view}
    madeLink={made && (
      <>
        <p>
          {richText`${<b>{made.name}</b>} is ready. Copy the link now; it won't be shown again.`}
        </p>
        <CopyField id="wallboard-address" label={text`Link of ${made.name}`} text={made.address} />
      </>
    )}
  />
));
