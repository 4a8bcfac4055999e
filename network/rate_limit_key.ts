import { parseAddress } from "./ip_address.ts";

/** Stands for every peer that has no address, such as one on a Unix socket. */
const unknownPeer = "0.0.0.0";

/**
 * What limits count as one peer: an IPv4 address, or the /64 network of an IPv6 address, as
 * that is what one subscriber has to choose from. Each has one spelling only.
 */
export function rateLimitKey(address: string): string {
  const parsed = parseAddress(address);
  if (parsed === null) return unknownPeer;
  if (!("parts" in parsed)) return parsed.toString();
  return parsed.parts
    .map((group, index) => (index < 4 ? group : 0).toString(16).padStart(4, "0"))
    .join(":");
}
