import { isIPv4, isIPv6 } from "node:net";
import ipaddr from "ipaddr.js";

/** An IPv4 or IPv6 address. IPv4-mapped IPv6 addresses (RFC 4291, 2.5.5.2) are IPv4. */
export type IpAddress = ipaddr.IPv4 | ipaddr.IPv6;

/** All addresses whose first `bits` bits equal those of `start`. */
export type IpNetwork = [start: IpAddress, bits: number];

/** Reads an address, without a zone such as `%eth0`. Null for any other text. */
export function parseAddress(text: string): IpAddress | null {
  const [address] = text.split("%");
  // ipaddr.js alone accepts octal numbers, and IPv4 addresses of fewer than four numbers.
  return isIPv4(address) || isIPv6(address) ? ipaddr.process(address) : null;
}

/** Reads an address, or a network such as `10.0.0.0/8` (RFC 4632, 3.1). Null for any other text. */
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
