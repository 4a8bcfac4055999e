import {
  type IpAddress,
  type IpNetwork,
  isWithin,
  parseAddress,
  parseNetwork,
} from "./ip_address.ts";

/** All unicast addresses that are given out for IPv6 (RFC 4291, 2.4). */
const globalIpv6 = [parseNetwork("2000::/3")!];

/** A public address that clouds use for the metadata of a machine: Azure's. */
const metadata = [parseNetwork("168.63.129.16")!];

/**
 * Whether an address is one of the public internet: no loopback, private, link-local or other special
 * address (RFC 6890), of which some are those of a cloud's metadata, and none of this machine, where
 * services can listen that a firewall keeps from the internet.
 *
 * @param allowed networks that count as public.
 * @param own the addresses of this machine.
 */
export function isPublicAddress(
  address: IpAddress,
  allowed: readonly IpNetwork[] = [],
  own: readonly string[] = ownAddresses(),
): boolean {
  if (isWithin(address, allowed)) return true;
  if (own.some((text) => parseAddress(text)?.toString() === address.toString())) return false;
  if (address.range() !== "unicast" || isWithin(address, metadata)) return false;
  return address.kind() === "ipv4" || isWithin(address, globalIpv6);
}

/** The addresses of this machine's interfaces now. */
function ownAddresses(): string[] {
  return Deno.networkInterfaces().map(({ address }) => address);
}
