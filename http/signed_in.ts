import { HttpError } from "fresh";
import type { Session } from "@/server/accounts/accounts.ts";
import type { State } from "./state.ts";

/**
 * The session of a request that middleware let pass for having one.
 *
 * @throws {HttpError} 403 without one.
 */
export function sessionOf({ session }: Pick<State, "session">): Session {
  if (!session) throw new HttpError(403, "Sign in required.");
  return session;
}
