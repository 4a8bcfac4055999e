import { page } from "fresh";
import {
  RecoveryCodes,
  SecondSignInForm,
  type SecondSignInView,
} from "@/components/accounts/SecondFactor.tsx";
import { refusedChange, rejectionForProgram } from "@/http/rejection.ts";
import { publicOrigin, textField } from "@/http/request.ts";
import { secondFactorClient, secondSignInView } from "@/http/second_factor_view.ts";
import {
  readCookie,
  returnPath,
  secondFactorCookie,
  writeCookie,
  writeSession,
} from "@/http/session_cookies.ts";
import { define } from "@/http/state.ts";
import PasskeyButton from "@/islands/PasskeyButton.tsx";
import {
  signInWithCode,
  signInWithFirst,
  signInWithPasskey,
} from "@/server/people/second_factor.ts";
import { recordSignIn } from "@/server/observability/sign_ins.ts";
import { href } from "@/shared/address.ts";
import { text } from "@/shared/language.ts";

/** Asks for the second factor after the password, and signs in. No session is there before. */
export const handler = define.handlers({
  async GET(ctx) {
    const returnTo = returnPath(ctx.url.searchParams.get("return"));
    if (ctx.state.session) return ctx.redirect(href(returnTo), 303);
    const data = await secondSignInView(ctx, returnTo);
    if (data) return page<{ view: SecondSignInView }>(data);
    return ctx.redirect(href(`/sign-in?return=${encodeURIComponent(returnTo)}`), 303);
  },
  async POST(ctx) {
    const { req, state } = ctx;
    const { clientAddress: peer, config, input } = state;
    const returnTo = returnPath(input.return);
    const ticket = readCookie(req.headers, config, secondFactorCookie);
    const [code, sealed] = [textField(input, "code"), textField(input, "setup")];
    const client = secondFactorClient(ctx);
    const [passkey, newPasskey] = [textField(input, "passkey"), textField(input, "new-passkey")];
    const answer = {
      response: textField(input, "response"),
      origin: publicOrigin(config, ctx.url),
    };
    const name = textField(input, "name");
    const result = passkey !== ""
      ? await signInWithPasskey(state, ticket, { ...answer, sealed: passkey }, client)
      : newPasskey !== ""
      ? await signInWithFirst(state, ticket, { ...answer, sealed: newPasskey, name }, client)
      : sealed !== ""
      ? await signInWithFirst(state, ticket, { sealed, code }, client)
      : await signInWithCode(state, ticket, code, client);
    if (!result.ok) {
      const again = await secondSignInView(ctx, returnTo, result);
      const outcome = result.reason === "rate_limited" ? result.reason : "wrong_second_factor";
      recordSignIn(state, outcome, { email: again?.view.email ?? "", peer });
      const forProgram = rejectionForProgram(req, result);
      if (forProgram) return forProgram;
      if (again) return page<{ view: SecondSignInView }>(again, refusedChange(result));
      return ctx.redirect(href(`/sign-in?return=${encodeURIComponent(returnTo)}`), 303);
    }
    const { codes, user, ...signedIn } = { codes: [], ...result.value };
    recordSignIn(state, "signed_in", { email: user.email, peer });
    const headers = new Headers();
    writeCookie(headers, config, secondFactorCookie, "", 0);
    writeSession(headers, config, signedIn);
    if (codes.length > 0) {
      state.title = text`Recovery codes`;
      // Of several cookies in the headers of `page`, Fresh sends the last one only.
      return await ctx.render(
        <RecoveryCodes codes={codes} path={returnTo} label={text`Continue`} />,
        { headers },
      );
    }
    headers.set("location", href(returnTo));
    return new Response(null, { status: 303, headers });
  },
});

export default define.page<typeof handler>(({ data: { view }, state }) => (
  <SecondSignInForm
    csrfToken={state.csrfToken}
    view={view}
    passkeyButton={view.newPasskey
      ? (
        <PasskeyButton
          kind="create"
          label={text`Add passkey`}
          options={view.newPasskey.options}
        />
      )
      : view.passkey && (
        <PasskeyButton
          kind="get"
          label={text`Use a passkey`}
          options={view.passkey.options}
        />
      )}
  />
));
