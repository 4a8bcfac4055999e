import { STATUS_CODE } from "@std/http/status";
import { HttpError, page } from "fresh";
import { ForgotForm, type Forgotten } from "@/components/page/SignInForm.tsx";
import { refuse, wantsJson } from "@/http/rejection.ts";
import { textField } from "@/http/request.ts";
import { define, type State } from "@/http/state.ts";
import { typedEmail } from "@/server/accounts/account_fields.ts";
import { countText } from "@/shared/text.ts";
import { text } from "@/shared/language.ts";

/** Sends a link to set a new password, and answers the same whether or not the email has an account. */
export const handler = define.handlers({
  GET(ctx) {
    linksOf(ctx.state);
    return page<Forgotten>({ email: "" });
  },
  async POST(ctx) {
    const { state } = ctx;
    const links = linksOf(state);
    const entered = textField(state.input, "email");
    const email = typedEmail(entered);
    if (email === null) {
      const status = STATUS_CODE.UnprocessableEntity;
      const error = text`Enter a valid email.`;
      if (wantsJson(ctx.req)) return refuse(status, "invalid", error);
      return page<Forgotten>({ email: entered, error }, { status });
    }
    const wait = await links.ask(email, state.clientAddress);
    if (wait === null) {
      if (wantsJson(ctx.req)) return Response.json({ accepted: true }, { status: 202 });
      return page<Forgotten>({ email, isSent: true });
    }
    const status = STATUS_CODE.TooManyRequests;
    const error = text`Too many attempts. Try again in ${countText(wait, "second")}.`;
    const headers = { "retry-after": String(wait) };
    if (wantsJson(ctx.req)) return refuse(status, "rate_limited", error);
    return page<Forgotten>({ email, error }, { status, headers });
  },
});

/** @throws {HttpError} 404 where no such links are sent. */
function linksOf(state: State) {
  state.title = text`Forgot your password?`;
  if (!state.forgottenPasswords) {
    throw new HttpError(404, text`This server sends no password links.`);
  }
  return state.forgottenPasswords;
}

export default define.page<typeof handler>(({ data, state }) => (
  <ForgotForm csrfToken={state.csrfToken} {...data} />
));
