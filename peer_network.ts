import { isIPv4, isIPv6 } from "node:net";

/** Stands for every peer that has no address, such as one on a Unix socket. */
const unknownPeer = "0.0.0.0";

/**
 * What limits count as one peer: an IPv4 address, or the /64 network of an IPv6 address, as
 * that is what one subscriber has to choose from. Each has one spelling only.
 */
export function peerNetwork(address: string): string {
  const [withoutZone] = address.toLowerCase().split("%");
  const unmapped = withoutZone.replace(/^::ffff:(?=[\d.]+$)/, "");
  if (isIPv4(unmapped)) return unmapped;
  return isIPv6(withoutZone) ? network64(withoutZone) : unknownPeer;
}

function network64(address: string): string {
  // The URL standard's spelling has hexadecimal groups only.
  const groups = new URL(`http://[${address}]/`).hostname.slice(1, -1);
  const [left, right] = groups.split("::").map((part) => part === "" ? [] : part.split(":"));
  const zeros = Array<string>(8 - left.length - (right?.length ?? 0)).fill("0");
  return [...left, ...zeros, ...right ?? []]
    .map((group, index) => index < 4 ? group.padStart(4, "0") : "0000")
    .join(":");
}
