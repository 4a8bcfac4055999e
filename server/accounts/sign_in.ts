import {
  type Attempts,
  attemptsOfAccount,
  attemptsOfDevice,
  attemptsOfKnownPeer,
  countAttempt,
  forgetAttempts,
  returnAttempt,
} from "./sign_in_limit.ts";
import type { Authentication } from "./authentication.ts";
import type { Database } from "../database/database.ts";
import { deviceIdOf, newDevice } from "./device.ts";
import { hasSessionFrom } from "./sessions.ts";
import type { PasswordWork } from "./password_work.ts";
import { rateLimitKey } from "../net/rate_limit_key.ts";
import { credentialsSchema } from "./input.ts";

/** The outcome of signing in: complete Set-Cookie values and the device cookie, or why it was refused. */
export type SignIn =
  | { ok: true; cookies: string[]; device: string }
  | { ok: false; reason: "wrong_credentials"; attemptsLeft: number }
  | { ok: false; reason: "disabled" | "invalid" }
  | { ok: false; reason: "rate_limited"; retryAfterSeconds: number };

/** What signing in needs. */
export interface SignInParts {
  database: Database;
  authentication: Authentication;
  passwordWork: PasswordWork;
  /** Signs device cookies. */
  secret: string;
}

/**
 * Signs in, within the limits of the peer and of the account, or of the device if it is known.
 *
 * @throws {BusyError} when too many others sign in; the attempt does not count.
 */
export async function signIn(
  { database: { queries }, authentication, passwordWork, secret }: SignInParts,
  input: { email: string; password: string },
  { peerAddress, device, userAgent }: {
    peerAddress: string;
    device?: string;
    userAgent?: string;
  },
): Promise<SignIn> {
  const parsed = credentialsSchema.safeParse(input);
  if (!parsed.success) return { ok: false, reason: "invalid" };
  const { email } = parsed.data;
  const peer = rateLimitKey(peerAddress);
  const deviceId = deviceIdOf(secret, email, device);
  const work = async (): Promise<SignIn> => {
    const attempts = await attemptsFor({ queries, email, peer, deviceId });
    const { left, retryAfterSeconds } = await countAttempt(queries, attempts);
    if (left < 0) return { ok: false, reason: "rate_limited", retryAfterSeconds };
    const from = { peer, isKnownDevice: deviceId !== null, userAgent };
    const result = await authentication.signIn(parsed.data, from);
    if (result.outcome === "signed_in") {
      await forgetAttempts(queries, attempts);
      const kept = deviceId === null ? undefined : device;
      return { ok: true, cookies: result.cookies, device: kept ?? newDevice(secret, email) };
    }
    if (result.outcome === "wrong_credentials") {
      const ofPeer = from.isKnownDevice ? left : await authentication.attemptsLeft(peer);
      return { ok: false, reason: "wrong_credentials", attemptsLeft: Math.min(left, ofPeer) };
    }
    if (result.outcome === "disabled") return { ok: false, reason: "disabled" };
    await returnAttempt(queries, attempts);
    return { ok: false, reason: "rate_limited", retryAfterSeconds: result.retryAfterSeconds };
  };
  return deviceId === null
    ? await passwordWork.run(peer, work)
    : await passwordWork.run(email, work, "known_device");
}

/** Those of the device, if it is known; those of the peer, if the account has a session from there. */
async function attemptsFor({ queries, email, peer, deviceId }: {
  queries: Database["queries"];
  email: string;
  peer: string;
  deviceId: string | null;
}): Promise<Attempts> {
  if (deviceId !== null) return attemptsOfDevice(deviceId);
  return await hasSessionFrom(queries, email, peer)
    ? attemptsOfKnownPeer(email, peer)
    : attemptsOfAccount(email);
}
