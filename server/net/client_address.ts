import { type IpAddress, type IpNetwork, isWithin, parseAddress } from "./ip_address.ts";

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
