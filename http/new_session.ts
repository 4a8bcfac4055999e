import type { Context } from "fresh";
import type { SignIn } from "@/server/accounts/accounts.ts";
import type { Config } from "@/server/config/config.ts";
import { href } from "@/shared/address.ts";
import type { State } from "./state.ts";
import { writeCookie } from "./cookies.ts";

/** Adds the cookies of a new session, and that of the device, to an answer. */
export function withSession(
  response: Response,
  config: Config,
  { cookies, device }: SignIn & { ok: true },
): Response {
  for (const cookie of cookies) response.headers.append("set-cookie", cookie);
  writeCookie(response.headers, config, "device", device);
  return response;
}

/**
 * Signs a user in who has just set a password, and redirects. Where the limit of sign-ins refuses it, the
 * sign-in page is in between.
 */
export async function signInNewUser(
  ctx: Context<State>,
  credentials: { email: string; password: string },
  path: string,
): Promise<Response> {
  const { accounts, clientAddress, config } = ctx.state;
  const userAgent = ctx.req.headers.get("user-agent") ?? "";
  const attempt = await accounts.signIn(credentials, clientAddress, undefined, userAgent);
  if (attempt.ok) return withSession(ctx.redirect(href(path), 303), config, attempt);
  return ctx.redirect(href(`/sign-in?return=${encodeURIComponent(path)}`), 303);
}
