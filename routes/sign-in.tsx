import { STATUS_CODE } from "@std/http/status";
import { HttpError, page } from "fresh";
import type { SignIn } from "@/server/accounts/accounts.ts";
import { href } from "@/shared/address.ts";
import { SignInForm } from "@/components/page/SignInForm.tsx";
import { define } from "@/http/state.ts";
import { signInView } from "@/http/provider_view.ts";
import { askSecondFactor, readCookie, returnPath, withSession } from "@/http/session_cookies.ts";
import { refuse, wantsJson } from "@/http/rejection.ts";
import { textField } from "@/http/request.ts";
import { countText } from "@/shared/text.ts";
import { recordSignIn } from "@/server/observability/sign_ins.ts";
import { text } from "@/shared/language.ts";

type Failure = Exclude<SignIn, { ok: true } | { reason: "second_factor" }>;

/** Signs in, and redirects to the page that was asked for. */
export const handler = define.handlers({
  async GET(ctx) {
    const returnTo = returnPath(ctx.url.searchParams.get("return"));
    if (ctx.state.session) return ctx.redirect(href(returnTo), 303);
    ctx.state.title = text`Sign in`;
    const needsSetup = await ctx.state.accounts.needsSetup();
    const isDeleted = ctx.url.searchParams.get("done") === "deleted";
    const done = isDeleted ? text`Your account is deleted.` : "";
    return page(signInView(ctx.state, { returnTo, needsSetup, done }));
  },
  async POST(ctx) {
    const { accounts, clientAddress: peer, config, input } = ctx.state;
    const returnTo = returnPath(input.return);
    if (!config.passwordSignIn) {
      throw new HttpError(403, text`Sign-in with a password is switched off on this server.`);
    }
    const email = textField(input, "email");
    const device = readCookie(ctx.req.headers, config, "device");
    const password = textField(input, "password");
    const userAgent = ctx.req.headers.get("user-agent") ?? "";
    const attempt = await accounts.signIn({ email, password }, peer, device, userAgent);
    recordSignIn(ctx.state, attempt.ok ? "signed_in" : attempt.reason, { email, peer });
    if (attempt.ok) {
      return withSession(ctx.redirect(href(returnTo), 303), config, attempt);
    }
    if (attempt.reason === "second_factor") {
      return askSecondFactor(ctx, attempt.ticket, returnTo);
    }
    if (wantsJson(ctx.req)) {
      return refuse(refusalStatus(attempt).status, attempt.reason, explain(attempt));
    }
    ctx.state.title = text`Sign in`;
    return page(
      signInView(ctx.state, { returnTo, email, error: explain(attempt) }),
      refusalStatus(attempt),
    );
  },
});

function refusalStatus(failure: Failure): { status: number; headers?: Record<string, string> } {
  if (failure.reason !== "rate_limited") return { status: STATUS_CODE.UnprocessableEntity };
  const headers = { "retry-after": String(failure.retryAfterSeconds) };
  return { status: STATUS_CODE.TooManyRequests, headers };
}

function explain(failure: Failure): string {
  switch (failure.reason) {
    case "rate_limited":
      return text`Too many attempts. Try again in ${
        countText(failure.retryAfterSeconds, "second")
      }.`;
    case "disabled":
      return text`This account is disabled. Contact an admin.`;
    case "wrong_credentials":
      return `${text`Wrong email or password.`} ${attemptsText(failure.attemptsLeft)}`.trim();
    default:
      return text`Wrong email or password.`;
  }
}

/** From how few attempts on they are stated. */
const fewAttempts = 5;

function attemptsText(left: number): string {
  if (left > fewAttempts) return "";
  if (left === 0) return text`That was the last attempt for now. Wait before you try again.`;
  return text`${countText(left, "attempt")} left before you have to wait.`;
}

export default define.page<typeof handler>(({ data, state }) => (
  <SignInForm csrfToken={state.csrfToken} {...data} />
));
