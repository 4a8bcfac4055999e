import { page } from "fresh";
import { AccountPage } from "@/components/accounts/AccountPage.tsx";
import { accountView } from "@/http/users_view.ts";
import { refusedChange, rejectionForProgram } from "@/http/rejection.ts";
import { sessionOf, textField } from "@/http/request.ts";
import { href } from "@/shared/address.ts";
import { define } from "@/http/state.ts";

/** Changes one's own language. The answer leads to a page in it. */
export const handler = define.handlers({
  GET: (ctx) => ctx.redirect(href("/account"), 303),
  async POST(ctx) {
    const { state, req } = ctx;
    const language = textField(state.input, "language") || null;
    const result = await state.accounts.changeOwnLanguage(sessionOf(state).user.id, language);
    if (result.ok) return ctx.redirect(href("/account?done=language"), 303);
    return rejectionForProgram(req, result) ??
      page(await accountView(state, { refusal: result }), refusedChange(result));
  },
});

export default define.page<typeof handler>(({ data }) => <AccountPage view={data} />);
