import { page } from "fresh";
import { AccountPage } from "@/components/accounts/AccountPage.tsx";
import { accountView } from "@/http/account_view.ts";
import { refusalForProgram, refusedChange } from "@/http/refused_change.ts";
import { sessionOf } from "@/http/signed_in.ts";
import { textField } from "@/http/text_field.ts";
import { changeName } from "@/server/people/own_account.ts";
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
    return refusalForProgram(req, result) ??
      page(await accountView(state, { name, refusal: result }), refusedChange(result));
  },
});

export default define.page<typeof handler>(({ data }) => <AccountPage view={data} />);
