import { HttpError } from "fresh";
import type { Session } from "@/server/accounts/accounts.ts";
import type { State } from "./state.ts";
import { pathOf, personIdOf } from "@/shared/address.ts";
import { type KnownPerson, knownPerson } from "@/server/people/known_person.ts";
import { type Config, servesHttps } from "@/server/config/config.ts";
import { type Limits, limitsOf } from "@/shared/permissions.ts";
import { text } from "@/shared/language.ts";

/**
 * The session of a request that middleware let pass for having one.
 *
 * @throws {HttpError} 403 without one.
 */
export function sessionOf({ session }: State): Session {
  if (!session) throw new HttpError(403, text`Sign in required.`);
  return session;
}

/** What the reader is limited to, as requests to other servers have it: nothing for who is not limited. */
export function readerLimits(state: State): { limits?: Limits } {
  const limits = limitsOf(sessionOf(state).user);
  return limits === null ? {} : { limits };
}

/** The answer for an id that no person has. */
export const noSuchPersonText = () => text`No one with this ID.`;

/**
 * The person whose id is in a URL below `/admin/people/`. The id is read from the URL itself, since route
 * parameters keep an encoded slash encoded.
 *
 * @throws {HttpError} 404 when no person with this id is known, as far as the reader may see.
 */
export async function personFromUrl(url: URL, state: State): Promise<KnownPerson> {
  const { user } = sessionOf(state);
  const person = await knownPerson(
    state,
    personIdOf(pathOf(url)),
    limitsOf(user),
  );
  if (!person) throw new HttpError(404, noSuchPersonText());
  return person;
}

/** What a page shows after an action, by the `done` or `problem` of its URL; undefined for any other value. */
export function outcomeOf<Outcome>(
  { searchParams }: URL,
  outcomes: Readonly<Record<string, Outcome>>,
  parameter: "done" | "problem" = "done",
): Outcome | undefined {
  const name = searchParams.get(parameter) ?? "";
  return Object.hasOwn(outcomes, name) ? outcomes[name] : undefined;
}

/** A field of a form or JSON body as text; empty when it is missing or null. Not validated. */
export function textField(input: Record<string, unknown>, name: string): string {
  return String(input[name] ?? "");
}

/**
 * The origin of links that are passed on: the origin of `APP_URL`. Where that is `localhost`, or not given, which
 * means the same, it is the one that the request was sent to.
 */
export function publicOrigin(config: Config, { host, protocol }: URL): string {
  const { appUrl } = config;
  if (appUrl.hostname !== "localhost") return appUrl.origin;
  return `${servesHttps(config) ? "https:" : protocol}//${host}`;
}

/**
 * Whether a request may come from a page of this app, as far as the browser states it. Programs and old
 * browsers state nothing; the CSRF token is what such a request has to have.
 *
 * `Sec-Fetch-Site` (W3C Fetch Metadata) is what the browser itself compared, so it is right behind a
 * proxy that changes the host. Browsers send it over https and to localhost only. Without it, `Origin`
 * has to name the public address or the host that the request was sent to.
 *
 * @param url of the request, whose host is the value of its `Host` header.
 */
export function mayComeFromOwnPage(headers: Headers, url: URL, appUrl: URL): boolean {
  const site = headers.get("sec-fetch-site");
  if (site !== null) return site === "same-origin" || site === "none";
  const origin = headers.get("origin");
  if (origin === null || origin === appUrl.origin) return true;
  return URL.parse(origin)?.host === url.host;
}

/** Whether the browser states that a page of another site sent the request, or one of another subdomain. */
export function isAskedByOtherSite(headers: Headers): boolean {
  return ["cross-site", "same-site"].includes(headers.get("sec-fetch-site") ?? "");
}
