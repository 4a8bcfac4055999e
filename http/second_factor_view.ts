import { STATUS_CODE } from "@std/http/status";
import { type Context, page } from "fresh";
import type { SecondSignInView } from "@/components/accounts/SecondFactor.tsx";
import type { SecondFactorView } from "@/components/accounts/SecondFactorPage.tsx";
import type { Failure } from "@/server/accounts/accounts.ts";
import type { SecondFactorClient } from "@/server/accounts/second_factors.ts";
import { refusedChange, rejectionForProgram } from "./rejection.ts";
import { publicOrigin, sessionOf, textField } from "./request.ts";
import { readCookie, secondFactorCookie } from "./session_cookies.ts";
import type { State } from "./state.ts";
import { text } from "@/shared/language.ts";

/** What both kinds of pages show: a form, or recovery codes that were just made. */
export type OrCodes<View> = { view: View } | { codes: string[]; returnTo: string };

/** The page of one's own second factor. */
export async function secondFactorView(
  { state, url }: Context<State>,
  refusal?: Failure,
): Promise<{ view: SecondFactorView }> {
  state.title = text`Second factor`;
  const { accounts, config, csrfToken, input } = state;
  const { secondFactors } = accounts;
  const { user } = sessionOf(state);
  const present = await secondFactors.of(user.id);
  const setup = secondFactors.resume(user, textField(input, "setup"));
  const view = {
    csrfToken,
    email: user.email,
    present,
    hasPassword: await accounts.hasPassword(user.id),
    isRequired: secondFactors.isRequired,
    setup,
    newPasskey: await secondFactors.passkeys.askNew(user, publicOrigin(config, url)),
    refusal,
  };
  return { view };
}

/** The page again, with why a change of one's own second factor was refused; the refusal alone for a program. */
export async function refuseSecondFactor(ctx: Context<State>, refusal: Failure) {
  return rejectionForProgram(ctx.req, refusal) ??
    page(await secondFactorView(ctx, refusal), refusedChange(refusal));
}

/** Recovery codes that were just made, which are in this answer and nowhere else. */
export function recoveryCodesAnswer(
  { state }: Context<State>,
  codes: string[],
  returnTo: string,
) {
  state.title = text`Recovery codes`;
  return page<OrCodes<SecondFactorView>>({ codes, returnTo }, { status: STATUS_CODE.Created });
}

/** The page that asks for the second factor after the password; null when the password has to come again. */
export async function secondSignInView(
  { req, state, url }: Context<State>,
  returnTo: string,
  refusal?: Failure,
): Promise<{ view: SecondSignInView } | null> {
  const { accounts: { secondFactors }, config, input } = state;
  const pending = await secondFactors.pending(
    readCookie(req.headers, config, secondFactorCookie),
  );
  if (!pending) return null;
  state.title = text`Sign in`;
  const { user, hasFactor } = pending;
  const setup = hasFactor ? null : secondFactors.resume(user, textField(input, "setup"));
  const { passkeys } = secondFactors;
  const origin = publicOrigin(config, url);
  const passkey = await passkeys.ask(user.id, origin);
  const newPasskey = hasFactor ? null : await passkeys.askNew(user, origin);
  return { view: { returnTo, email: user.email, setup, passkey, newPasskey, refusal } };
}

/** Where a second factor comes from. */
export function secondFactorClient({ req, state }: Context<State>): SecondFactorClient {
  return {
    peerAddress: state.clientAddress,
    device: readCookie(req.headers, state.config, "device"),
    userAgent: req.headers.get("user-agent") ?? "",
  };
}
