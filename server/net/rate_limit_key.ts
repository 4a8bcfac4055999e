import { parseAddress } from "./ip_address.ts";

/** The key of all peers without an address, such as those on a Unix socket. */
const unknownPeer = "0.0.0.0";

/**
 * What rate limits count as one client: an IPv4 address, or the /64 network of an IPv6 address, because
 * one subscriber can use all addresses in it. Equal clients have equal keys, however they are spelled.
 */
export function rateLimitKey(address: string): string {
  const parsed = parseAddress(address);
  if (parsed === null) return unknownPeer;
  if (!("parts" in parsed)) return parsed.toString();
  return parsed.parts
    .map((group, index) => (index < 4 ? group : 0).toString(16).padStart(4, "0"))
    .join(":");
}
