import { Buffer } from "node:buffer";
import { createCipheriv, createDecipheriv, hkdfSync, randomBytes, randomInt } from "node:crypto";
import { Secret, TOTP } from "otpauth";
import { z } from "zod";
import { seal, sign, unseal } from "./digest.ts";

/** How long a code is shown, in seconds (RFC 6238 recommends it). */
const periodSeconds = 30;

/** Codes before and after the present one that are taken, as clocks of phones differ. */
const toleratedSteps = 1;

/** How long a person has to set codes up, in ms. */
const setupMs = 30 * 60_000;

const recoveryCodes = 10;
const recoveryCodeLength = 10;
/** Letters and digits that are not mistaken for each other. */
const recoveryLetters = "abcdefghjkmnpqrstuvwxyz23456789";

/** What a person puts into an authenticator app. */
export interface CodeSetup {
  /** In base32, as apps take it. */
  secret: string;
  /** What the QR code says: a URI of the scheme `otpauth`. */
  address: string;
  /** Comes back with the form. Nothing is stored before a code of the app has come. */
  sealed: string;
}

const setupSchema = z.object({ secret: z.string(), at: z.number() });
const setupPurpose = "set-up of one-time codes";

/** Begins to set codes up. @param now in ms since 1970. */
export function newCodeSetup(
  appSecret: string,
  { id, email }: { id: string; email: string },
  now: number,
): CodeSetup {
  const secret = new Secret({ size: 20 }).base32;
  return codeSetup(appSecret, { id, email }, { secret, at: now });
}

/** The same set-up again, for a form whose code was wrong; null when it is none of this user, or too old. */
export function openCodeSetup(
  appSecret: string,
  user: { id: string; email: string },
  sealed: string,
  now: number,
): CodeSetup | null {
  const setup = unseal(appSecret, setupPurpose, setupSchema, sealed, user.id);
  if (setup === null) return null;
  return Math.abs(now - setup.at) > setupMs ? null : codeSetup(appSecret, user, setup);
}

function codeSetup(
  appSecret: string,
  { id, email }: { id: string; email: string },
  setup: z.infer<typeof setupSchema>,
): CodeSetup {
  const { secret } = setup;
  return {
    secret,
    address: codesOf(secret, email).toString(),
    sealed: seal(appSecret, setupPurpose, setup, id),
  };
}

/**
 * The time step whose code this is (RFC 6238), compared in constant time; null when it is none of now. A step must
 * not be taken twice.
 */
export function stepOfCode(secret: string, typed: string, now: number): number | null {
  const token = typed.replaceAll(/\s/g, "");
  if (!/^\d{6}$/.test(token)) return null;
  const delta = codesOf(secret).validate({ token, timestamp: now, window: toleratedSteps });
  return delta === null ? null : Math.floor(now / 1_000 / periodSeconds) + delta;
}

function codesOf(secret: string, label = ""): TOTP {
  return new TOTP({
    issuer: "Rollcall",
    label,
    algorithm: "SHA1",
    digits: 6,
    period: periodSeconds,
    secret: Secret.fromBase32(secret),
  });
}

/** New recovery codes, as they are shown once. Each has 49 random bits. */
export function newRecoveryCodes(): string[] {
  return Array.from({ length: recoveryCodes }, () => {
    const letters = Array.from(
      { length: recoveryCodeLength },
      () => recoveryLetters[randomInt(recoveryLetters.length)],
    ).join("");
    return `${letters.slice(0, recoveryCodeLength / 2)}-${letters.slice(recoveryCodeLength / 2)}`;
  });
}

/**
 * What is stored of a recovery code: a signature, so that a copy of the database is not enough to try all codes. Null
 * for a text that is none, in whatever case and with whatever spaces.
 */
export function recoveryCodeHash(appSecret: string, userId: string, typed: string): string | null {
  const code = typed.replaceAll(/[\s-]/g, "").toLowerCase();
  const isCode = code.length === recoveryCodeLength &&
    [...code].every((letter) => recoveryLetters.includes(letter));
  return isCode ? sign(appSecret, "recovery code", userId, code) : null;
}

const cipher = "aes-256-gcm";
const ivLength = 12;
const tagLength = 16;

/** A secret as the database has it: encrypted with the installation's, for this user only. */
export function encryptedSecret(appSecret: string, userId: string, secret: string): string {
  const iv = randomBytes(ivLength);
  const encryption = createCipheriv(cipher, keyOf(appSecret), iv).setAAD(Buffer.from(userId));
  const encrypted = [encryption.update(secret, "utf8"), encryption.final()];
  return Buffer.concat([iv, encryption.getAuthTag(), ...encrypted]).toString("base64url");
}

/** The secret of {@link encryptedSecret}; null when the installation's secret is another one now. */
export function decryptedSecret(
  appSecret: string,
  userId: string,
  stored: string,
): string | null {
  const bytes = Buffer.from(stored, "base64url");
  const decryption = createDecipheriv(cipher, keyOf(appSecret), bytes.subarray(0, ivLength))
    .setAAD(Buffer.from(userId))
    .setAuthTag(bytes.subarray(ivLength, ivLength + tagLength));
  try {
    const secret = [decryption.update(bytes.subarray(ivLength + tagLength)), decryption.final()];
    return Buffer.concat(secret).toString();
  } catch {
    return null;
  }
}

function keyOf(appSecret: string): Uint8Array {
  return new Uint8Array(hkdfSync("sha256", appSecret, "", "secrets of one-time codes", 32));
}
