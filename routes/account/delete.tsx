import { page } from "fresh";
import { AccountPage, deletionConfirmation } from "@/components/accounts/AccountPage.tsx";
import { requireConfirmation } from "@/http/confirmation.tsx";
import { refusedChange, rejectionForProgram } from "@/http/rejection.ts";
import { sessionOf, textField } from "@/http/request.ts";
import { define } from "@/http/state.ts";
import { accountView } from "@/http/users_view.ts";
import { deleteOwnAccount } from "@/server/people/privacy.ts";
import { href } from "@/shared/address.ts";

/** Deletes one's own account, with the password or soon after signing in. */
export const handler = define.handlers({
  GET: (ctx) => ctx.redirect(href("/account"), 303),
  async POST(ctx) {
    const { state, req } = ctx;
    const question = await requireConfirmation(ctx, deletionConfirmation(), {
      fields: ["confirm"],
      back: "/account",
    });
    if (question) return question;
    const result = await deleteOwnAccount(
      state,
      sessionOf(state),
      textField(state.input, "confirm"),
    );
    if (!result.ok) {
      return rejectionForProgram(req, result) ??
        page(await accountView(state, { refusal: result }), refusedChange(result));
    }
    const response = ctx.redirect(href("/sign-in?done=deleted"), 303);
    for (const cookie of await state.accounts.signOut(req.headers)) {
      response.headers.append("set-cookie", cookie);
    }
    return response;
  },
});

export default define.page<typeof handler>(({ data }) => <AccountPage view={data} />);
