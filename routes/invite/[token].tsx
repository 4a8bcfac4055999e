import { page } from "fresh";
import { type Invited, InviteForm } from "@/components/accounts/InviteForm.tsx";
import { refuseLink, refuseWhileSignedIn } from "@/http/confirmation.tsx";
import { signInNewUser } from "@/http/session_cookies.ts";
import { refusedChange, rejectionForProgram } from "@/http/rejection.ts";
import { textField } from "@/http/request.ts";
import { acceptInvite } from "@/server/people/manage_user.ts";
import { define } from "@/http/state.ts";
import { text } from "@/shared/language.ts";

/** The page of an invitation. Only sending the form uses the link up, so previews of it do not. */
export const handler = define.handlers({
  async GET(ctx) {
    const { params: { token }, state } = ctx;
    state.title = text`Invitation`;
    const signedIn = await refuseWhileSignedIn(ctx);
    if (signedIn) return signedIn;
    const invite = await state.accounts.links.invited(token, state.clientAddress);
    if (!invite.ok) return await refuseLink(ctx, invite);
    return page<Invited>({ token, email: invite.value.email, name: "" });
  },
  async POST(ctx) {
    const { params: { token }, state } = ctx;
    state.title = text`Invitation`;
    const signedIn = await refuseWhileSignedIn(ctx);
    if (signedIn) return signedIn;
    const invite = await state.accounts.links.invited(token, state.clientAddress);
    if (!invite.ok) return await refuseLink(ctx, invite);
    const { email } = invite.value;
    const name = textField(state.input, "name");
    const password = textField(state.input, "password");
    const result = await acceptInvite(state, { token, name, password });
    if (result.ok) return await signInNewUser(ctx, { email, password }, "/");
    if (result.reason === "unknown_link") return await refuseLink(ctx, result);
    return rejectionForProgram(ctx.req, result) ??
      page<Invited>({ token, email, name, refusal: result }, refusedChange(result));
  },
});

export default define.page<typeof handler>(({ data, state }) => (
  <InviteForm csrfToken={state.csrfToken} {...data} />
));
