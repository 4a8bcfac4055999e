/**
 * Whether a client stops for good when its sockets are closed soon after they opened: pusher-js before
 * 8.2, which gives up WebSockets after two closes that its runtime does not report as clean, as Node
 * and React Native report none. It has to be refused before its socket opens.
 *
 * @param query of the socket's address, where pusher-js names itself.
 */
export function givesUpWhenClosed(query: URLSearchParams): boolean {
  const [major, minor] = (query.get("version") ?? "").split(".").map(parseFloat);
  return query.get("client") === "js" && (major < 8 || major === 8 && minor < 2);
}
