import { type IpAddress, type IpNetwork, isWithin, parseNetwork } from "./ip_address.ts";

/** All unicast addresses that are given out for IPv6 (RFC 4291, 2.4). */
const globalIpv6 = [parseNetwork("2000::/3")!];

/** A public address that clouds use for the metadata of a machine: Azure's. */
const metadata = [parseNetwork("168.63.129.16")!];

/**
 * Whether an address is one of the public internet: no loopback, private, link-local or other special
 * address (RFC 6890), of which some are those of a cloud's metadata.
 *
 * @param allowed networks that count as public.
 */
export function isPublicAddress(address: IpAddress, allowed: readonly IpNetwork[] = []): boolean {
  if (isWithin(address, allowed)) return true;
  if (address.range() !== "unicast" || isWithin(address, metadata)) return false;
  return address.kind() === "ipv4" || isWithin(address, globalIpv6);
}
