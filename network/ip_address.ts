import { isIPv4, isIPv6 } from "node:net";
import ipaddr from "ipaddr.js";

/** An IPv4 or IPv6 address; one of IPv4 that is written as IPv6 (RFC 4291, 2.5.5.2) is IPv4. */
export type IpAddress = ipaddr.IPv4 | ipaddr.IPv6;

/** All addresses that begin with the same so many bits as this one. */
export type IpNetwork = [start: IpAddress, bits: number];

/** Reads an address; a zone such as `%eth0` is left out. Null when it is none. */
export function parseAddress(text: string): IpAddress | null {
  const [address] = text.split("%");
  // ipaddr.js alone takes octal numbers, and IPv4 addresses of less than four.
  return isIPv4(address) || isIPv6(address) ? ipaddr.process(address) : null;
}

/** Reads an address, or a network as `10.0.0.0/8` (RFC 4632, 3.1). Null when it is neither. */
export function parseNetwork(text: string): IpNetwork | null {
  const [, start, length] = /^([^/%]+)(?:\/(\d{1,3}))?$/.exec(text) ?? [];
  const address = parseAddress(start ?? "");
  if (address === null) return null;
  const all = address.toByteArray().length * 8;
  const mapped = isIPv6(start) && address.kind() === "ipv4" ? 96 : 0;
  const bits = length === undefined ? all : Number(length) - mapped;
  return bits >= 0 && bits <= all ? [address, bits] : null;
}

/** Whether an address is in one of the networks. */
export function isWithin(address: IpAddress, networks: readonly IpNetwork[]): boolean {
  return networks.some(([start, bits]) =>
    start.kind() === address.kind() && address.match(start, bits)
  );
}
