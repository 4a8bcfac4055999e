import { z } from "zod";
import { type Role, roles } from "@/shared/permissions.ts";
import type { Setting } from "./setting.ts";
import { flag, integer, isLoopback } from "./schemas.ts";

/** A rule of `OIDC_ROLES`: everyone with the value in the claim has the role. */
export interface RoleRule {
  /** Null: the rule is for everyone whom the provider signs in. */
  claim: string | null;
  value: string;
  role: Role;
}

/** `CLAIM:VALUE=ROLE` or `*=ROLE`. A claim can be a URL, whose colon ends no name. */
const rulePattern = /^(?:\*|((?:https?:\/\/)?[^:,*\s]+):(.+))=([a-z]+)$/;

const roleRules = z.string()
  .transform((text) => text.split(",").map((rule) => parseRule(rule.trim())))
  .refine(
    (rules): rules is RoleRule[] => rules.length <= 100 && rules.every((rule) => rule !== null),
    "at most 100 rules such as groups:rollcall-admins=admin or *=viewer, separated by commas; " +
      `roles are ${roles.join(", ")}`,
  );

function parseRule(text: string): RoleRule | null {
  const [, claim = null, value = "", name] = text.match(rulePattern) ?? [];
  const role = roles.find((role) => role === name);
  return role === undefined ? null : { claim, value, role };
}

/** The address of a provider. Over plain http, anyone on the way could sign in as an admin. */
const issuer = z.string().refine((value) => {
  const url = URL.parse(value);
  return url !== null && url.username === "" && url.password === "" && !/[?#]/.test(value) &&
    (url.protocol === "https:" || url.protocol === "http:" && isLoopback(url.hostname));
}, "an https:// address without query; http:// only for this machine").transform((value) =>
  new URL(value)
);

/** Sign-in with accounts of an OpenID Connect provider. */
export const oidcSettings = {
  OIDC_ISSUER: {
    group: "Sign-in",
    schema: issuer.optional(),
    example: "https://login.example.com/realms/company",
    about:
      "The OpenID Connect provider whose accounts people sign in with: its issuer, exactly as " +
      "the provider states it. See [Sign-in with your provider](sign-in.md).",
  },
  OIDC_CLIENT_ID: {
    group: "Sign-in",
    schema: z.string().max(1_000, "at most 1000 characters").optional(),
    example: "rollcall",
    about: "The ID that the provider gave Rollcall.",
  },
  OIDC_CLIENT_SECRET: {
    group: "Sign-in",
    schema: z.string().max(1_000, "at most 1000 characters").optional(),
    secret: true,
    about: "The secret that the provider gave Rollcall.",
  },
  OIDC_ROLES: {
    group: "Sign-in",
    schema: roleRules.optional(),
    example: "groups:rollcall-admins=admin,*=viewer",
    about: "Who has which role: `CLAIM:VALUE=ROLE` or, for everyone, `*=ROLE`, separated by " +
      "commas. Of several that fit, the role with the most rights wins; without any, sign-in is " +
      "refused: [Roles](sign-in.md#roles).",
  },
  OIDC_NAME: {
    group: "Sign-in",
    schema: z.string().max(40, "at most 40 characters").optional(),
    otherwise: "the host of `OIDC_ISSUER`",
    example: "Example Inc.",
    about: "The provider's name on the button “Sign in with …”.",
  },
  OIDC_SCOPES: {
    group: "Sign-in",
    schema: z.string().regex(/^openid( [\x21\x23-\x5b\x5d-\x7e]{1,100}){0,20}$/, {
      error: "openid, and further scopes after spaces",
    }).default("openid email profile"),
    about: "The scopes that are asked for. Some providers have the groups in one of their own.",
  },
  OIDC_SESSION_HOURS: {
    group: "Sign-in",
    schema: integer(1, 168).default(8),
    unit: "hours",
    about: "How long a sign-in with the provider lasts. The next one asks for the role again, so " +
      "a person who lost a group keeps its role no longer than this.",
  },
  PASSWORD_SIGN_IN: {
    group: "Sign-in",
    schema: flag.default(true),
    about: "`false` removes the password form, if `OIDC_ISSUER` is set. The command line is " +
      "the [way back in](sign-in.md#without-passwords).",
  },
  REQUIRE_SECOND_FACTOR: {
    group: "Sign-in",
    schema: flag.default(false),
    about:
      "`true`: anyone who signs in with a password also needs a code from an authenticator app or a passkey, " +
      "and sets one up before anything else: [Second factors](second-factors.md).",
  },
} satisfies Record<string, Setting>;

/** The settings of the provider, as far as it depends on others of them. */
interface Settings {
  OIDC_ISSUER?: URL;
  OIDC_CLIENT_ID?: string;
  OIDC_CLIENT_SECRET?: string;
  OIDC_ROLES?: RoleRule[];
  OIDC_NAME?: string;
  OIDC_SCOPES: string;
  OIDC_SESSION_HOURS: number;
  PASSWORD_SIGN_IN: boolean;
}

const required = ["OIDC_ISSUER", "OIDC_CLIENT_ID", "OIDC_CLIENT_SECRET", "OIDC_ROLES"] as const;

/** One line for each setting that sign-in with a provider lacks. */
export function oidcProblems(settings: Settings): string[] {
  const given = required.find((name) => settings[name] !== undefined);
  if (given !== undefined) {
    return required.filter((name) => settings[name] === undefined)
      .map((name) => `${name}: not given, but ${given} is; expected all of ${required.join(", ")}`);
  }
  return settings.PASSWORD_SIGN_IN
    ? []
    : ["PASSWORD_SIGN_IN: false, but OIDC_ISSUER is not given; expected a provider, or true"];
}

/** The provider with whose accounts people sign in. */
export interface OidcConfig {
  issuer: URL;
  clientId: string;
  clientSecret: string;
  roles: readonly RoleRule[];
  /** As the button names it. */
  name: string;
  scopes: string;
  sessionHours: number;
}

/** The provider of valid settings; undefined when there is none. */
export function toOidc(settings: Settings): OidcConfig | undefined {
  const { OIDC_ISSUER: issuer, OIDC_CLIENT_ID: clientId, OIDC_ROLES: roles } = settings;
  const { OIDC_CLIENT_SECRET: clientSecret } = settings;
  if (!issuer || !clientId || !clientSecret || !roles) return undefined;
  const { OIDC_NAME: name = issuer.hostname, OIDC_SCOPES: scopes } = settings;
  const { OIDC_SESSION_HOURS: sessionHours } = settings;
  return { issuer, clientId, clientSecret, roles, name, scopes, sessionHours };
}
