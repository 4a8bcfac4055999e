import { type IpNetwork, isTrusted } from "./client_address.ts";

/** Headers that proxies add and browsers never send. */
const proxyHeaders = ["x-forwarded-for", "forwarded", "via"];

/**
 * Notices requests of a proxy that is not trusted: all clients behind it then count as one address, so that
 * a stranger among them can use up what all have.
 */
export class UntrustedProxy {
  #peer: string | null = null;

  /** The address of the first one; null when there was none. */
  get peer(): string | null {
    return this.#peer;
  }

  /** Looks at a request. @returns whether it is the first of a proxy that is not trusted */
  notice(peer: string, headers: Headers, trusted: readonly IpNetwork[]): boolean {
    if (this.#peer !== null || !proxyHeaders.some((name) => headers.has(name))) return false;
    if (isTrusted(peer, trusted)) return false;
    this.#peer = peer;
    return true;
  }
}
