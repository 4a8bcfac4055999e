/** The address of the other end of the TCP connection; what a client says of itself does not count. */
export function peerAddress(remote: Deno.Addr): string {
  return "hostname" in remote ? remote.hostname : "unix";
}
