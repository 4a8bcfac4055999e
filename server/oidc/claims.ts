import { z } from "zod";
import { nameSchema, typedEmail } from "../accounts/account_fields.ts";
import type { RoleRule } from "../config/oidc_settings.ts";
import { longestName } from "@/shared/limits.ts";
import { type Role, roles } from "@/shared/permissions.ts";

/** What a provider states of a person, of which only the form is not known. */
export type Claims = Readonly<Record<string, unknown>>;

/** Values of one claim that are looked at. */
const mostValues = 2_000;

/** A person as the provider vouches for them. */
export interface ProviderPerson {
  /** The provider's name for itself. */
  issuer: string;
  /** The provider's id of the person, which it gives to no other. */
  subject: string;
  /** Verified by the provider, in lower case. */
  email: string;
  name: string;
  /** Null when no rule fits. */
  role: Role | null;
}

const identitySchema = z.object({
  iss: z.string().min(1).max(2_048),
  sub: z.string().min(1).max(255),
});

/**
 * The claims of the ID token, and those that only the provider's UserInfo has. An email is never of one with
 * the verification of the other.
 */
export function joinedClaims(idToken: Claims, userInfo: Claims): Claims {
  const { email, email_verified } = idToken.email === undefined ? userInfo : idToken;
  return { ...userInfo, ...idToken, email, email_verified };
}

/**
 * The person of claims whose origin is verified.
 *
 * @returns `unverified_email` unless the provider states that it verified the email: otherwise an
 * account here could be taken over by typing its email at the provider.
 */
export function personOf(
  claims: Claims,
  rules: readonly RoleRule[],
): ProviderPerson | "unverified_email" {
  const { iss: issuer, sub: subject } = identitySchema.parse(claims);
  const email = typedEmail(claims.email);
  if (email === null || claims.email_verified !== true) return "unverified_email";
  return { issuer, subject, email, name: nameIn(claims, email), role: roleOf(claims, rules) };
}

/** The role with the most rights of all rules that fit; null when none does. */
export function roleOf(claims: Claims, rules: readonly RoleRule[]): Role | null {
  const fitting = new Set(rules.filter((rule) => fits(claims, rule)).map(({ role }) => role));
  return roles.findLast((role) => fitting.has(role)) ?? null;
}

function fits(claims: Claims, { claim, value }: RoleRule): boolean {
  if (claim === null) return true;
  const stated = claimNamed(claims, claim);
  const values = Array.isArray(stated) ? stated.slice(0, mostValues) : [stated];
  return values.some((each) =>
    ["string", "number", "boolean"].includes(typeof each) && String(each) === value
  );
}

/** The claim of this name; else the one within objects, as in `realm_access.roles`. */
function claimNamed(claims: Claims, name: string): unknown {
  if (Object.hasOwn(claims, name)) return claims[name];
  return name.split(".").reduce<unknown>(
    (within, part) =>
      typeof within === "object" && within !== null && Object.hasOwn(within, part)
        ? (within as Claims)[part]
        : undefined,
    claims,
  );
}

/** The first name that an account can have; the beginning of the email when there is none. */
function nameIn({ name, preferred_username: username }: Claims, email: string): string {
  for (const stated of [name, username]) {
    if (typeof stated !== "string") continue;
    const usable = nameSchema.safeParse(stated.slice(0, longestName));
    if (usable.success) return usable.data;
  }
  return email.slice(0, email.indexOf("@"));
}
