import type { Configuration, CustomFetchOptions, ServerMetadata } from "openid-client";
import type { OidcConfig } from "../config/oidc_settings.ts";
import type { SignInAttempt } from "./attempt.ts";
import { type Claims, joinedClaims } from "./claims.ts";

type Library = typeof import("openid-client");

/** How long a request to the provider may take, in seconds. */
const timeoutSeconds = 10;

/** The longest answer that is read from the provider, in bytes. */
const maxBytes = 1_048_576;

/** How long the provider's description of itself is used, in ms. */
const describedMs = 10 * 60 * 1_000;

/** By how much the clocks may differ, in seconds. */
const clockToleranceSeconds = 60;

/** Why a provider did not sign a person in. */
export type ProviderFailure = "unreachable" | "cancelled" | "not_verified";

/** The provider did not sign the person in. `code` is the library's, for the log: no text of the provider. */
export class ProviderError extends Error {
  override name = "ProviderError";
  constructor(readonly reason: ProviderFailure, readonly code: string) {
    super(`${reason}: ${code}`);
  }
}

/** What a provider has vouched for. */
export interface Vouched {
  claims: Claims;
  /** As a hint for the sign-out at the provider. */
  idToken: string;
}

/**
 * A provider of OpenID Connect. `openid-client` checks its answers: state, issuer, client, nonce, times,
 * algorithm and signature.
 *
 * Keys are read for each sign-in, so that one that the provider no longer has signs no one in, and a new one
 * does at once.
 */
export class Provider {
  readonly #library: Library;
  readonly #config: OidcConfig;
  readonly #now: () => number;
  #described: { metadata: Promise<ServerMetadata>; at: number } | null = null;

  private constructor(library: Library, config: OidcConfig, now: () => number) {
    this.#library = library;
    this.#config = config;
    this.#now = now;
  }

  /** Loads the library, which a server without a provider does not. @param now in ms since 1970. */
  static async open(config: OidcConfig, now = Date.now): Promise<Provider> {
    return new Provider(await import("openid-client"), config, now);
  }

  /**
   * Where a browser asks the provider to sign a person in.
   *
   * @throws {ProviderError} when the provider does not answer.
   */
  async authorizationUrl(
    { state, nonce, verifier }: SignInAttempt,
    redirectUri: string,
  ): Promise<URL> {
    const { buildAuthorizationUrl, calculatePKCECodeChallenge } = this.#library;
    return buildAuthorizationUrl(await this.#configuration(), {
      redirect_uri: redirectUri,
      scope: this.#config.scopes,
      state,
      nonce,
      code_challenge: await calculatePKCECodeChallenge(verifier),
      code_challenge_method: "S256",
    });
  }

  /**
   * What the provider says about the person, after it sent the browser back.
   *
   * @param callback the address that it sent the browser to.
   * @throws {ProviderError} when it refused, or when anything of its answer is not right.
   */
  async vouched(callback: URL, { state, nonce, verifier }: SignInAttempt): Promise<Vouched> {
    const configuration = await this.#configuration();
    try {
      const tokens = await this.#library.authorizationCodeGrant(configuration, callback, {
        expectedState: state,
        expectedNonce: nonce,
        pkceCodeVerifier: verifier,
        idTokenExpected: true,
      });
      const claims = tokens.claims();
      if (!claims || !tokens.id_token) throw new ProviderError("not_verified", "no_id_token");
      const userInfo = configuration.serverMetadata().userinfo_endpoint === undefined
        ? {}
        : await this.#library.fetchUserInfo(configuration, tokens.access_token, claims.sub);
      return { claims: joinedClaims({ ...claims }, userInfo), idToken: tokens.id_token };
    } catch (error) {
      throw this.#failureOf(error);
    }
  }

  /**
   * Where a browser signs out of the provider; null when the provider has no such page.
   *
   * @param idToken null when it is no longer known: the provider then asks the person.
   * @param returnUri where the provider sends the browser afterwards.
   * @throws {ProviderError} when the provider does not answer.
   */
  async endSessionUrl(idToken: string | null, returnUri: string): Promise<URL | null> {
    const configuration = await this.#configuration();
    if (configuration.serverMetadata().end_session_endpoint === undefined) return null;
    return this.#library.buildEndSessionUrl(configuration, {
      post_logout_redirect_uri: returnUri,
      ...idToken !== null && { id_token_hint: idToken },
    });
  }

  /** A new one each time, as the keys of the provider are kept with it. */
  async #configuration(): Promise<Configuration> {
    const metadata = await this.#metadata();
    const { clientId, clientSecret, issuer } = this.#config;
    const { ClientSecretBasic, ClientSecretPost, Configuration, clockTolerance } = this.#library;
    const methods = metadata.token_endpoint_auth_methods_supported;
    const authentication = methods === undefined || methods.includes("client_secret_basic")
      ? ClientSecretBasic(clientSecret)
      : ClientSecretPost(clientSecret);
    const client = { client_secret: clientSecret, [clockTolerance]: clockToleranceSeconds };
    const configuration = new Configuration(metadata, clientId, client, authentication);
    configuration[this.#library.customFetch] = boundedFetch;
    configuration.timeout = timeoutSeconds;
    if (issuer.protocol === "http:") this.#library.allowInsecureRequests(configuration);
    // Without it, the library trusts what comes by https from the provider's own address.
    this.#library.enableNonRepudiationChecks(configuration);
    return configuration;
  }

  async #metadata(): Promise<ServerMetadata> {
    const now = this.#now();
    if (this.#described === null || now - this.#described.at >= describedMs) {
      this.#described = { metadata: this.#discovered(), at: now };
    }
    const described = this.#described;
    try {
      return await described.metadata;
    } catch (error) {
      if (this.#described === described) this.#described = null;
      throw new ProviderError("unreachable", codeOf(error));
    }
  }

  async #discovered(): Promise<ServerMetadata> {
    const { issuer, clientId } = this.#config;
    const { allowInsecureRequests, customFetch, discovery } = this.#library;
    const discovered = await discovery(issuer, clientId, undefined, undefined, {
      [customFetch]: boundedFetch,
      timeout: timeoutSeconds,
      execute: issuer.protocol === "http:" ? [allowInsecureRequests] : [],
    });
    return discovered.serverMetadata();
  }

  #failureOf(error: unknown): ProviderError {
    if (error instanceof ProviderError) return error;
    if (error instanceof this.#library.AuthorizationResponseError) {
      return new ProviderError("cancelled", "authorization_response");
    }
    const isOfNetwork = error instanceof TypeError || error instanceof DOMException;
    return new ProviderError(isOfNetwork ? "unreachable" : "not_verified", codeOf(error));
  }
}

/** The library's code of an error, else its class. */
function codeOf(error: unknown): string {
  const code = error instanceof Error && "code" in error ? error.code : undefined;
  if (typeof code === "string") return code;
  return error instanceof Error ? error.name : "unknown";
}

/** A `fetch` that reads no more than a provider has to say. */
async function boundedFetch(url: string, init: CustomFetchOptions): Promise<Response> {
  const response = await fetch(url, init as RequestInit);
  const chunks: Uint8Array<ArrayBuffer>[] = [];
  let length = 0;
  for await (const chunk of response.body ?? []) {
    length += chunk.length;
    if (length > maxBytes) throw new TypeError("The answer is too long");
    chunks.push(chunk);
  }
  const { status, headers } = response;
  return new Response(length > 0 ? new Blob(chunks) : null, { status, headers });
}
