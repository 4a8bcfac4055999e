/**
 * Sign-in with accounts of an OpenID Connect provider: the authorization code flow with PKCE.
 *
 * `start` sends a browser to the provider, and `finish` reads what it comes back with. What is between the two
 * is in a signed cookie of that browser, `attempt.ts`, so that any server of the installation answers.
 * `provider.ts` talks to the provider, with `openid-client`, which is loaded only where a provider is set.
 * `claims.ts` makes a person and a role of what the provider says. The accounts are in `server/accounts/`, and
 * `server/people/provider_sign_in.ts` puts both together.
 *
 * The promises: a person is known only by an ID token that the provider signed for this installation and this
 * attempt, of this issuer, with a key that it has now, and that has not expired, give or take a minute. An
 * answer signs in once, on all servers together. An email counts only when the provider verified it. No text
 * of the provider is shown.
 *
 * The cost: two to three requests to the provider for each sign-in. A browser has one attempt at a time. Each
 * server limits, by address, how many sign-ins clients start and how many fail.
 *
 * @module
 */
import { takeAttempt, usesOfProviderState } from "../accounts/sign_in.ts";
import type { Core } from "../core.ts";
import { ConcurrencyLimit, rateLimitKey, WindowLimit } from "../net/window_limits.ts";
import { logOf } from "../observability/logging.ts";
import { newAttempt, readAttempt, sealAttempt } from "./attempt.ts";
import { personOf, type ProviderPerson } from "./claims.ts";
import { type Provider, ProviderError, type ProviderFailure } from "./provider.ts";
import type { OidcConfig } from "../config/oidc_settings.ts";

/** The paths to which the provider sends browsers back, after sign-in and sign-out; both are registered there. */
const oidcPaths = { callback: "/sign-in/oidc/callback", signedOut: "/sign-in" } as const;

/** Why no person is known. */
export type OidcFailure =
  | ProviderFailure
  | "no_attempt"
  | "used_before"
  | "unverified_email"
  | "too_many";

/** The outcome of the provider's answer. */
export type Finished =
  | { ok: true; person: ProviderPerson; signOutHint: string; returnTo: string }
  | { ok: false; reason: OidcFailure; returnTo: string };

/** Cookies have no room for longer ID tokens; the provider then asks whom to sign out. */
const longestHint = 3_000;
const noHint = "none";

const log = logOf("accounts");

const minuteMs = 60_000;

/** Sign-in with the provider of the settings. */
export class OpenIdSignIn {
  readonly #core: Core;
  readonly #settings: OidcConfig;
  readonly #provider: Provider;
  readonly #starts = new WindowLimit({ most: 300, windowMs: minuteMs }, () => performance.now());
  readonly #failures = new WindowLimit(
    { most: 30, windowMs: 5 * minuteMs },
    () => performance.now(),
  );
  readonly #running = new ConcurrencyLimit({ max: 30, maxPerClient: 12, retryAfterSeconds: 5 });

  constructor(
    core: Core,
    settings: OidcConfig,
    provider: Provider,
  ) {
    this.#core = core;
    this.#settings = settings;
    this.#provider = provider;
  }

  /** The provider's name on the button. */
  get name(): string {
    return this.#settings.name;
  }

  /** How long a session lasts, in seconds. */
  get sessionSeconds(): number {
    return this.#settings.sessionHours * 60 * 60;
  }

  /**
   * Begins to sign in.
   *
   * @param returnTo the path to open afterwards.
   * @returns where to send the browser, and the value of its cookie; or why not.
   */
  async start(
    peerAddress: string,
    returnTo: string,
  ): Promise<{ ok: true; url: URL; cookie: string } | { ok: false; reason: OidcFailure }> {
    const client = rateLimitKey(peerAddress);
    if (this.#starts.waitSeconds(client) !== null) return { ok: false, reason: "too_many" };
    this.#starts.add(client);
    const attempt = newAttempt(returnTo, Date.now());
    try {
      const url = await this.#provider.authorizationUrl(
        attempt,
        this.#ownUrl(oidcPaths.callback).href,
      );
      return { ok: true, url, cookie: sealAttempt(this.#core.appSecret, attempt) };
    } catch (error) {
      return { ok: false, reason: reasonOf(error) };
    }
  }

  /**
   * Ends what {@link start} began.
   *
   * @param search the query that the browser came back with.
   * @param cookie the cookie of the attempt.
   * @throws {BusyError} when too many others do the same.
   */
  async finish(
    peerAddress: string,
    search: string,
    cookie: string | undefined,
  ): Promise<Finished> {
    const client = rateLimitKey(peerAddress);
    const attempt = readAttempt(this.#core.appSecret, cookie, Date.now());
    if (attempt === null) return { ok: false, reason: "no_attempt", returnTo: "/" };
    const { returnTo } = attempt;
    if (this.#failures.waitSeconds(client) !== null) {
      return { ok: false, reason: "too_many", returnTo };
    }
    return await this.#running.run(client, async () => {
      const { queries } = this.#core.database;
      try {
        if (await takeAttempt(queries, usesOfProviderState(attempt.state)) !== null) {
          return { ok: false, reason: "used_before", returnTo };
        }
        const { claims, idToken } = await this.#provider.vouched(
          this.#ownUrl(oidcPaths.callback + search),
          attempt,
        );
        const person = personOf(claims, this.#settings.roles);
        if (typeof person === "string") return { ok: false, reason: person, returnTo };
        const signOutHint = idToken.length <= longestHint ? idToken : noHint;
        return { ok: true, person, signOutHint, returnTo };
      } catch (error) {
        this.#failures.add(client);
        return { ok: false, reason: reasonOf(error), returnTo };
      }
    });
  }

  /**
   * Where a browser signs out of the provider; null when that has no such page, or does not answer.
   *
   * @param hint what {@link finish} gave at sign-in.
   */
  async signOutUrl(hint: string): Promise<URL | null> {
    const idToken = hint === noHint ? null : hint;
    try {
      return await this.#provider.endSessionUrl(idToken, this.#ownUrl(oidcPaths.signedOut).href);
    } catch (error) {
      reasonOf(error);
      return null;
    }
  }

  /** Behind a proxy, the address of the request is another. */
  #ownUrl(path: string): URL {
    const { appUrl, basePath } = this.#core.config;
    return new URL(basePath + path, appUrl.origin);
  }
}

function reasonOf(error: unknown): OidcFailure {
  if (!(error instanceof ProviderError)) throw error;
  log.warn("The provider signed no one in", { reason: error.reason, code: error.code });
  return error.reason;
}
