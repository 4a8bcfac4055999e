/** How long frames that were under way can arrive after the device lost its network, in milliseconds. */
const underwayMs = 2_000;

/**
 * Whether a frame may have been under way when the device went offline; later ones come from a server
 * that needs no network, on the same device. Times are in milliseconds since 1970.
 */
export function mayBeUnderway(offlineSince: number, receivedAt: number): boolean {
  return receivedAt - offlineSince < underwayMs;
}
