import { Buffer } from "node:buffer";
import { randomBytes } from "node:crypto";
import type { AuthenticationResponseJSON, RegistrationResponseJSON } from "@simplewebauthn/server";
import { z } from "zod";
import { seal, unseal } from "./digest.ts";
import { nameSchema } from "./account_fields.ts";

/** How long a person has at the browser's dialog and the forms around it, in ms. */
const challengeMs = 10 * 60_000;

/** The longest answer of a browser, in characters; attestations, which are not asked for, would be longer. */
const longestResponse = 20_000;

/** Passkeys that a user can have. */
export const mostPasskeys = 10;

/** A passkey as the database has it. */
export interface StoredPasskey {
  /** The credential's id, in base64url. */
  id: string;
  /** In base64url, as COSE has it. */
  publicKey: string;
  /** How often it was used, as it says itself; 0 for one that does not count. */
  counter: number;
  /** Separated by commas. */
  transports: string;
}

/** What a page asks the browser's passkeys, and what comes back with the form to verify the answer by. */
export interface PasskeyQuestion {
  /** JSON for `parseCreationOptionsFromJSON` or `parseRequestOptionsFromJSON` of the browser. */
  options: string;
  sealed: string;
}

/** What a form brings back. */
export interface PasskeyAnswer {
  sealed: string;
  /** The JSON of the browser's credential. */
  response: string;
}

type Purpose = "new passkey" | "passkey";
const challengeSchema = z.object({ challenge: z.string(), at: z.number() });
const credentialSchema = z.looseObject({ id: z.string().regex(/^[A-Za-z0-9_-]{1,1024}$/) });

/** Loaded at the first question, which is before any transaction: see `experimental` in `authentication.ts`. */
const library = () => import("@simplewebauthn/server");

/** A challenge that is signed for a user and purpose, so that any server verifies the answer. */
function newChallenge(secret: string, purpose: Purpose, userId: string, now: number) {
  const challenge = randomBytes(32);
  const content = { challenge: challenge.toString("base64url"), at: now };
  const sealed = seal(secret, purpose, content, userId);
  return { challenge: new Uint8Array(challenge), sealed };
}

/** The challenge of {@link newChallenge}; null when it is none, or too old. */
export function challengeOf(
  secret: string,
  purpose: Purpose,
  userId: string,
  sealed: string,
  now: number,
): string | null {
  const content = unseal(secret, purpose, challengeSchema, sealed, userId);
  if (content === null) return null;
  return Math.abs(now - content.at) > challengeMs ? null : content.challenge;
}

/** Asks for a new passkey. @param origin of the page that asks. */
export async function askNewPasskey(
  secret: string,
  { id, email, name }: { id: string; email: string; name: string },
  present: readonly StoredPasskey[],
  origin: string,
  now: number,
): Promise<PasskeyQuestion> {
  const { challenge, sealed } = newChallenge(secret, "new passkey", id, now);
  const options = await (await library()).generateRegistrationOptions({
    rpName: "Rollcall",
    rpID: new URL(origin).hostname,
    userID: new TextEncoder().encode(id),
    userName: email,
    userDisplayName: name,
    challenge,
    attestationType: "none",
    excludeCredentials: present.map(({ id }) => ({ id })),
    authenticatorSelection: { residentKey: "discouraged", userVerification: "preferred" },
  });
  return { options: JSON.stringify(options), sealed };
}

/** Asks for one of a user's passkeys. @param origin of the page that asks. */
export async function askPasskey(
  secret: string,
  userId: string,
  present: readonly StoredPasskey[],
  origin: string,
  now: number,
): Promise<PasskeyQuestion> {
  const { challenge, sealed } = newChallenge(secret, "passkey", userId, now);
  const options = await (await library()).generateAuthenticationOptions({
    rpID: new URL(origin).hostname,
    challenge,
    allowCredentials: present.map(({ id, transports }) => ({
      id,
      transports: transportsOf(transports),
    })),
    userVerification: "preferred",
  });
  return { options: JSON.stringify(options), sealed };
}

/** The new passkey of an answer that is right; null for any other. */
export async function newPasskeyOf(
  expectedChallenge: string,
  response: string,
  origin: string,
): Promise<StoredPasskey | null> {
  const credential = credentialOf(response);
  if (credential === null) return null;
  try {
    const { verified, registrationInfo } = await (await library()).verifyRegistrationResponse({
      // The library checks every field of it.
      response: credential as unknown as RegistrationResponseJSON,
      expectedChallenge,
      expectedOrigin: origin,
      expectedRPID: new URL(origin).hostname,
      requireUserVerification: false,
    });
    if (!verified || !registrationInfo) return null;
    const { id, publicKey, counter, transports = [] } = registrationInfo.credential;
    return {
      id,
      publicKey: Buffer.from(publicKey).toString("base64url"),
      counter,
      transports: transports.join(",").slice(0, 100),
    };
  } catch {
    // It throws for whatever is wrong with what the browser sent.
    return null;
  }
}

/** The id of the passkey that an answer names; null for none. */
export function passkeyIdOf(response: string): string | null {
  return credentialOf(response)?.id ?? null;
}

/** How often a passkey was used now, by an answer that is right; null for any other. */
export async function counterOf(
  { id, publicKey, counter, transports }: StoredPasskey,
  expectedChallenge: string,
  response: string,
  origin: string,
): Promise<number | null> {
  const credential = credentialOf(response);
  if (credential === null) return null;
  try {
    const { verified, authenticationInfo } = await (await library())
      .verifyAuthenticationResponse({
        // As above.
        response: credential as unknown as AuthenticationResponseJSON,
        expectedChallenge,
        expectedOrigin: origin,
        expectedRPID: new URL(origin).hostname,
        credential: {
          id,
          publicKey: new Uint8Array(Buffer.from(publicKey, "base64url")),
          counter,
          transports: transportsOf(transports),
        },
        requireUserVerification: false,
      });
    return verified ? authenticationInfo.newCounter : null;
  } catch {
    return null;
  }
}

function credentialOf(response: string) {
  if (response.length > longestResponse) return null;
  try {
    return credentialSchema.safeParse(JSON.parse(response)).data ?? null;
  } catch {
    return null;
  }
}

type Transports = NonNullable<RegistrationResponseJSON["response"]["transports"]>;

function transportsOf(stored: string): Transports {
  return stored.split(",").filter(Boolean) as Transports;
}

/** The name of a passkey as it was typed; one that can't be a name is “Passkey”. */
export function passkeyName(typed: string): string {
  return nameSchema.safeParse(typed.slice(0, 60)).data ?? "Passkey";
}
