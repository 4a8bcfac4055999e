import { type IpAddress, type IpNetwork, isWithin, parseAddress } from "./ip_address.ts";

/** Proxies in a row that are followed back; a longer row is that of a header which somebody made up. */
const maxProxies = 32;

/** The longest spelling of an address with a port. */
const maxEntryLength = 64;

/**
 * Where a request comes from: the other end of its connection or, where that is a trusted proxy, the
 * rightmost address of `X-Forwarded-For` that is none. Each proxy appends the address that it sees, so
 * what stands further left is what a stranger says. An entry that is no address ends the search: the
 * client is then the last proxy that could be told. `Forwarded` (RFC 7239) is not read: proxies that do
 * not write it pass on what strangers have in it.
 *
 * @param peer the address of the other end of the connection.
 * @param forwardedFor the header; several are joined with commas in their order.
 * @returns an address in its usual spelling, or `peer` as it is where nobody is trusted.
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

/** Whether an address is that of a trusted proxy. */
export function isTrusted(peer: string, trusted: readonly IpNetwork[]): boolean {
  const address = parseAddress(peer);
  return address !== null && isWithin(address, trusted);
}

/** The last entries of a list with commas, the last first. */
function* fromTheRight(list: string): Generator<string> {
  let end = list.length;
  for (let count = 0; count < maxProxies && end >= 0; count++) {
    const comma = end === 0 ? -1 : list.lastIndexOf(",", end - 1);
    yield list.slice(comma + 1, end);
    end = comma;
  }
}

/** The address of an entry: some proxies add the port, and then put IPv6 into brackets. */
function addressOf(entry: string): IpAddress | null {
  if (entry.length > maxEntryLength) return null;
  const text = entry.trim();
  const [, inBrackets, ofFour] = /^(?:\[([^\]]*)\]|([\d.]+))(?::\d{1,5})?$/.exec(text) ?? [];
  return parseAddress(inBrackets ?? ofFour ?? text);
}
