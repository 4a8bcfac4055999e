import { page } from "fresh";
import { AccountPage } from "@/components/accounts/AccountPage.tsx";
import { accountView } from "@/http/users_view.ts";
import { refusedChange, rejectionForProgram } from "@/http/rejection.ts";
import { sessionOf, textField } from "@/http/request.ts";
import { changeName } from "@/server/people/manage_user.ts";
import { href } from "@/shared/address.ts";
import { define } from "@/http/state.ts";

/** Changes one's own name. */
export const handler = define.handlers({
  GET: (ctx) => ctx.redirect(href("/account"), 303),
  async POST(ctx) {
    const { state, req } = ctx;
    const name = textField(state.input, "name");
    const result = await changeName(state, sessionOf(state), name);
    if (result.ok) return ctx.redirect(href("/account?done=name"), 303);
    return rejectionForProgram(req, result) ??
      page(await accountView(state, { name, refusal: result }), refusedChange(result));
  },
});

export default define.page<typeof handler>(({ data }) => <AccountPage view={data} />);
