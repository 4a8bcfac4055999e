import { isIPv4, isIPv6 } from "node:net";
import ipaddr from "ipaddr.js";

/** An IPv4 or IPv6 address. IPv4-mapped IPv6 addresses (RFC 4291, 2.5.5.2) are IPv4. */
type IpAddress = ipaddr.IPv4 | ipaddr.IPv6;

/** All addresses whose first `bits` bits equal the first bits of `start`. */
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

/** How many entries are read, from the right; a longer chain of proxies is forged. */
const maxProxies = 32;

/** Longer entries are no addresses, in characters. */
const maxEntryLength = 64;

/**
 * The address of the client that sent a request: the other end of the connection or, if that is a
 * trusted proxy, the rightmost address in `X-Forwarded-For` that is not. Each proxy appends the address
 * that it sees, so entries further left may be forged. An entry that is not an address ends the search;
 * the client is then the last proxy that was identified. `Forwarded` (RFC 7239) is not read, because
 * proxies that do not write it pass on what clients send.
 *
 * @param peer the address of the other end of the connection.
 * @param forwardedFor the header; several are joined with commas in their order.
 * @returns an address in its canonical spelling, or `peer` unchanged if no proxy is trusted.
 */
export function clientAddress(
  peer: string,
  forwardedFor: string | null,
  trusted: readonly IpNetwork[],
): string {
  let client = trusted.length > 0 ? parseAddress(peer) : null;
  if (client === null) return peer;
  for (const entry of fromTheRight(forwardedFor ?? "")) {
    if (!isWithin(client, trusted)) break;
    const next = addressOf(entry);
    if (next === null) break;
    client = next;
  }
  return client.toString();
}

/** Whether an address belongs to a trusted proxy. */
export function isTrusted(peer: string, trusted: readonly IpNetwork[]): boolean {
  const address = parseAddress(peer);
  return address !== null && isWithin(address, trusted);
}

/** The last entries of a comma-separated list, from the last one on. */
function* fromTheRight(list: string): Generator<string> {
  let end = list.length;
  for (let count = 0; count < maxProxies && end >= 0; count++) {
    const comma = end === 0 ? -1 : list.lastIndexOf(",", end - 1);
    yield list.slice(comma + 1, end);
    end = comma;
  }
}

/** The address of an entry. Some proxies add the port, and put IPv6 addresses into brackets. */
function addressOf(entry: string): IpAddress | null {
  if (entry.length > maxEntryLength) return null;
  const text = entry.trim();
  const [, inBrackets, ipv4] = /^(?:\[([^\]]*)\]|([\d.]+))(?::\d{1,5})?$/.exec(text) ?? [];
  return parseAddress(inBrackets ?? ipv4 ?? text);
}

/** All unicast addresses that are given out for IPv6 (RFC 4291, 2.4). */
const globalIpv6 = [parseNetwork("2000::/3")!];

/** A public address that clouds use for the metadata of a machine: Azure's. */
const metadata = [parseNetwork("168.63.129.16")!];

/**
 * Whether an address is one of the public internet: no loopback, private, link-local or other special
 * address (RFC 6890), of which some serve a cloud's metadata, and none this machine, where
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
