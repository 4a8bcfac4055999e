import { page } from "fresh";
import { AccountPage } from "@/components/accounts/AccountPage.tsx";
import { accountView } from "@/http/users_view.ts";
import { refusedChange, rejectionForProgram } from "@/http/rejection.ts";
import { sessionOf, textField } from "@/http/request.ts";
import { changePassword } from "@/server/people/manage_user.ts";
import { href } from "@/shared/address.ts";
import { define } from "@/http/state.ts";

/** Changes one's own password, and ends one's other sessions unless that is unticked. */
export const handler = define.handlers({
  GET: (ctx) => ctx.redirect(href("/account"), 303),
  async POST(ctx) {
    const { state, req } = ctx;
    const result = await changePassword(state, sessionOf(state), {
      current: textField(state.input, "current"),
      password: textField(state.input, "password"),
      endsOthers: state.input.others === "end",
    });
    if (result.ok) return ctx.redirect(href("/account?done=password"), 303);
    return rejectionForProgram(req, result) ??
      page(await accountView(state, { refusal: result }), refusedChange(result));
  },
});

export default define.page<typeof handler>(({ data }) => <AccountPage view={data} />);
