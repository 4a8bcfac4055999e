/**
 * The tokens of links that open something without a sign-in: invitations, links to set a password, wallboards.
 *
 * A token is shown once. The database has its hash, by which it is looked up, so that neither a copy of the
 * database nor the time of an answer reveals a token. The id names the link to admins, and opens nothing. The
 * links of embeds are not among these: they can be shown again, and are signed instead of stored.
 *
 * @module
 */
import { randomBytes } from "node:crypto";
import { digest } from "./digest.ts";
import { rateLimitKey, WindowLimit } from "../net/window_limits.ts";

/** A new link's id and token, and what is stored of the token. */
export interface NewLinkToken {
  id: string;
  token: string;
  tokenHash: string;
}

/** Makes an id, and a token of 256 bits. */
export function newLinkToken(): NewLinkToken {
  const token = randomBytes(32).toString("base64url");
  return { id: randomBytes(16).toString("hex"), token, tokenHash: digest(token) };
}

/** Whether a text has the form of a link's id. */
export function isLinkId(text: string): boolean {
  return /^[0-9a-f]{32}$/.test(text);
}

/** What is stored of a token; null for a text that does not have the form of one. */
export function tokenHashOf(text: string): string | null {
  return /^[A-Za-z0-9_-]{43}$/.test(text) ? digest(text) : null;
}

/** What a look-up found, or why nothing: with a time when the peer sent too many wrong tokens. */
export type FoundLink<Link> =
  | { ok: true; link: Link }
  | { ok: false; retryAfterSeconds: number | null };

/** Wrong tokens that a client can send. */
export const wrongTokens = { most: 20, windowMs: 60_000 };

/**
 * Limits the wrong tokens of a peer, never the right ones: behind a proxy all clients may have one address, and
 * a stranger there must not be able to block the links of everyone. No one can guess a token.
 */
export class LinkLookup {
  readonly #wrong: WindowLimit;

  /** @param now in milliseconds from any origin. */
  constructor(now: () => number = () => performance.now()) {
    this.#wrong = new WindowLimit(wrongTokens, now);
  }

  /** @param peerAddress an IP address. @param find resolves to null when no working link has the token */
  async find<Link>(
    peerAddress: string,
    find: () => Promise<Link | null>,
  ): Promise<FoundLink<Link>> {
    const link = await find();
    if (link !== null) return { ok: true, link };
    const peer = rateLimitKey(peerAddress);
    const retryAfterSeconds = this.#wrong.waitSeconds(peer);
    if (retryAfterSeconds === null) this.#wrong.add(peer);
    return { ok: false, retryAfterSeconds };
  }
}
