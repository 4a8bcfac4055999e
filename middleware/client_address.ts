import { clientAddress } from "../network/client_address.ts";
import type { Config } from "../config/config.ts";
import { define } from "../state.ts";

/** Sets `ctx.state.clientAddress`; see {@link clientAddress}. */
export function findClientAddress({ trustedProxies }: Config) {
  return define.middleware((ctx) => {
    const peer = peerOf(ctx.info.remoteAddr);
    const forwardedFor = ctx.req.headers.get("x-forwarded-for");
    ctx.state.clientAddress = clientAddress(peer, forwardedFor, trustedProxies);
    return ctx.next();
  });
}

/** The address of the other end of a connection. */
export function peerOf(remote: Deno.Addr): string {
  return "hostname" in remote ? remote.hostname : "unix";
}
