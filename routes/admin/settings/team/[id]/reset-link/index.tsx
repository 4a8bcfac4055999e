import { STATUS_CODE } from "@std/http/status";
import { page } from "fresh";
import { ManageUserPage } from "@/components/accounts/ManageUserPage.tsx";
import { manageUserView, userFromUrl } from "@/http/users_view.ts";
import { publicOrigin } from "@/http/request.ts";
import { rejectionForProgram } from "@/http/rejection.ts";
import CopyField from "@/islands/CopyField.tsx";
import { mailResetLink, makeResetLink } from "@/server/people/manage_user.ts";
import { href, userPath } from "@/shared/address.ts";
import { define } from "@/http/state.ts";
import { text } from "@/shared/language.ts";

/**
 * Makes a link that resets a user's password. Its URL is in the answer and nowhere else, so the answer is
 * a page and not a redirect; or, with `mail=yes`, in an email to the user and not in the answer.
 */
export const handler = define.handlers({
  GET: (ctx) => ctx.redirect(href(userPath(ctx.params.id)), 303),
  async POST(ctx) {
    const { state } = ctx;
    const user = await userFromUrl(state, ctx.params);
    const { mailer } = state;
    const isMailed = mailer !== undefined && state.input.mail === "yes";
    const result = isMailed
      ? await mailResetLink(state, mailer, user)
      : await makeResetLink(state, user.id);
    if (!result.ok) {
      return rejectionForProgram(ctx.req, result) ??
        ctx.redirect(href(`${userPath(user.id)}?problem=${result.reason}`), 303);
    }
    if (isMailed) return ctx.redirect(href(`${userPath(user.id)}?done=mailed`), 303);
    const address = publicOrigin(state.config, ctx.url) + href(`/reset-password/${result.value}`);
    const view = await manageUserView(state, user);
    return page({ view, address }, { status: STATUS_CODE.Created });
  },
});

export default define.page<typeof handler>(({ data: { view, address }, state }) => (
  <ManageUserPage
    csrfToken={state.csrfToken}
    view={view}
    made={
      <>
        <p>{text`The link is ready. Copy it now; it won't be shown again.`}</p>
        <CopyField id="made-link" label={text`Reset link for ${view.user.name}`} text={address} />
      </>
    }
  />
));
