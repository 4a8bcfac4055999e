import { STATUS_CODE } from "@std/http/status";
import { page } from "fresh";
import { roleSchema } from "@/server/accounts/account_fields.ts";
import { UsersPage, type UsersView } from "@/components/accounts/UsersPage.tsx";
import { publicOrigin, textField } from "@/http/request.ts";
import { refuse, wantsJson } from "@/http/rejection.ts";
import { chosenLimits, usersView } from "@/http/users_view.ts";
import CopyField from "@/islands/CopyField.tsx";
import PersonStatus from "@/islands/PersonStatus.tsx";
import { invite } from "@/server/people/manage_user.ts";
import { href } from "@/shared/address.ts";
import { define } from "@/http/state.ts";
import { text } from "@/shared/language.ts";
import { richText } from "@/shared/long_text.ts";

/** The users page with the link that was just made, if it was. */
interface Made {
  view: UsersView;
  made: { email: string; address: string; isMailed: boolean } | null;
}

/**
 * Makes an invitation. Its URL is in the answer and nowhere else, so the answer is a page and not a
 * redirect.
 */
export const handler = define.handlers({
  GET: (ctx) => ctx.redirect(href("/admin/settings/team"), 303),
  async POST(ctx) {
    const { state } = ctx;
    const email = textField(state.input, "email");
    const role = textField(state.input, "role");
    // The form that makes a new link has the field for limited invitations only.
    const limits = state.input.sees === undefined ? null : chosenLimits(state.input);
    const result = await invite(state, { email, role, limits });
    if (result.ok) {
      const { token, link, isMailed } = result.value;
      const address = publicOrigin(state.config, ctx.url) + href(`/invite/${token}`);
      const view = await usersView(state, ctx.url);
      const made = { email: link.email, address, isMailed };
      return page<Made>({ view, made }, { status: STATUS_CODE.Created });
    }
    const status = STATUS_CODE.UnprocessableEntity;
    if (wantsJson(ctx.req)) return refuse(status, result.reason, result.message);
    const view = await usersView(state, ctx.url, {
      refusedInvite: {
        email,
        role: roleSchema.safeParse(role).data,
        limits,
        error: result.message,
      },
      problem: text`No link was made: ${result.message}`,
    });
    return page<Made>({ view, made: null }, { status });
  },
});

export default define.page<typeof handler>(({ data: { view, made }, state }) => (
  <UsersPage
    csrfToken={state.csrfToken}
    view={view}
    status={PersonStatus}
    made={made && (
      <>
        {!made.isMailed && view.sendsMail && (
          <p>{text`It was not sent, as too many emails wait.`}</p>
        )}
        <p>
          {made.isMailed
            ? richText`The invitation is on its way to ${<b>{made.email}</b>}.`
            : richText`The invitation for ${<b>{made.email}</b>} is ready.`} {made.isMailed
            ? text`You can also copy the link now; it won't be shown again.`
            : text`Copy the link now; it won't be shown again.`}
        </p>
        <CopyField id="made-link" label={text`Invitation for ${made.email}`} text={made.address} />
      </>
    )}
  />
));
