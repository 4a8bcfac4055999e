import { type Context, page } from "fresh";
import type { SecondFactorView, SecondSignInView } from "@/components/accounts/SecondFactor.tsx";
import type { Failure } from "@/server/accounts/accounts.ts";
import type { SecondFactorClient } from "@/server/accounts/second_factors.ts";
import { refusedChange, rejectionForProgram } from "./rejection.ts";
import { sessionOf, textField } from "./request.ts";
import { readCookie, secondFactorCookie } from "./session_cookies.ts";
import type { State } from "./state.ts";

/** What both kinds of pages show: a form, or recovery codes that were just made. */
export type OrCodes<View> = { view: View } | { codes: string[]; returnTo: string };

/** The page of one's own second factor. */
export async function secondFactorView(
  state: State,
  refusal?: Failure,
): Promise<{ view: SecondFactorView }> {
  state.title = "Second factor";
  const { accounts: { secondFactors }, csrfToken, input } = state;
  const { user } = sessionOf(state);
  const present = await secondFactors.of(user.id);
  const setup = present ? null : secondFactors.resume(user, textField(input, "setup"));
  const view = {
    csrfToken,
    email: user.email,
    present,
    hasPassword: await secondFactors.hasPassword(user.id),
    isRequired: secondFactors.isRequired,
    setup,
    refusal,
  };
  return { view };
}

/** The page again, with why a change of one's own second factor was refused; the refusal alone for a program. */
export async function refuseSecondFactor({ req, state }: Context<State>, refusal: Failure) {
  return rejectionForProgram(req, refusal) ??
    page(await secondFactorView(state, refusal), refusedChange(refusal));
}

/** The page that asks for the second factor after the password; null when the password has to come again. */
export async function secondSignInView(
  { req, state }: Context<State>,
  returnTo: string,
  refusal?: Failure,
): Promise<{ view: SecondSignInView } | null> {
  const { accounts: { secondFactors }, config, input } = state;
  const pending = await secondFactors.pending(
    readCookie(req.headers, config, secondFactorCookie),
  );
  if (!pending) return null;
  state.title = "Sign in";
  const { user, hasFactor } = pending;
  const setup = hasFactor ? null : secondFactors.resume(user, textField(input, "setup"));
  return { view: { returnTo, email: user.email, setup, refusal } };
}

/** Where a second factor comes from. */
export function secondFactorClient({ req, state }: Context<State>): SecondFactorClient {
  return {
    peerAddress: state.clientAddress,
    device: readCookie(req.headers, state.config, "device"),
    userAgent: req.headers.get("user-agent") ?? "",
  };
}
