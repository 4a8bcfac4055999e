import { page } from "fresh";
import { ResetPasswordForm, type Resetting } from "@/components/accounts/InviteForm.tsx";
import { refuseLink, refuseWhileSignedIn } from "@/http/confirmation.tsx";
import { signInNewUser } from "@/http/session_cookies.ts";
import { refusedChange, rejectionForProgram } from "@/http/rejection.ts";
import { textField } from "@/http/request.ts";
import { followResetLink } from "@/server/people/manage_user.ts";
import { define } from "@/http/state.ts";
import { text } from "@/shared/language.ts";

/** The page where a user sets a new password. Only sending the form uses the link up. */
export const handler = define.handlers({
  async GET(ctx) {
    const { params: { token }, state } = ctx;
    state.title = text`Set a new password`;
    const signedIn = await refuseWhileSignedIn(ctx);
    if (signedIn) return signedIn;
    const user = await state.accounts.links.userToReset(token, state.clientAddress);
    if (!user.ok) return await refuseLink(ctx, user);
    return page<Resetting>({ token, email: user.value.email });
  },
  async POST(ctx) {
    const { params: { token }, state } = ctx;
    state.title = text`Set a new password`;
    const signedIn = await refuseWhileSignedIn(ctx);
    if (signedIn) return signedIn;
    const user = await state.accounts.links.userToReset(token, state.clientAddress);
    if (!user.ok) return await refuseLink(ctx, user);
    const { email } = user.value;
    const password = textField(state.input, "password");
    const result = await followResetLink(state, { token, password });
    if (result.ok) return await signInNewUser(ctx, { email, password }, "/");
    if (result.reason === "unknown_link") return await refuseLink(ctx, result);
    return rejectionForProgram(ctx.req, result) ??
      page<Resetting>({ token, email, refusal: result }, refusedChange(result));
  },
});

export default define.page<typeof handler>(({ data, state }) => (
  <ResetPasswordForm csrfToken={state.csrfToken} {...data} />
));
