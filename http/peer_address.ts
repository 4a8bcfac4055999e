import { clientAddress } from "@/server/net/client_address.ts";
import { logOf } from "@/server/observability/logging.ts";
import type { Services } from "@/server/services.ts";
import { define } from "./state.ts";

/** Sets `ctx.state.clientAddress`, see {@link clientAddress}, and warns once of a proxy that is not trusted. */
export function findClientAddress(
  { config: { trustedProxies }, untrustedProxy }: Pick<Services, "config" | "untrustedProxy">,
) {
  return define.middleware((ctx) => {
    const peer = peerOf(ctx.info.remoteAddr);
    if (untrustedProxy.notice(peer, ctx.req.headers, trustedProxies)) {
      logOf("http").warn(
        "A request came through a proxy that is not in TRUSTED_PROXIES: its clients count as one address",
        { peer, setting: "TRUSTED_PROXIES" },
      );
    }
    const forwardedFor = ctx.req.headers.get("x-forwarded-for");
    ctx.state.clientAddress = clientAddress(peer, forwardedFor, trustedProxies);
    return ctx.next();
  });
}

/** The address of the other end of a connection. */
export function peerOf(remote: Deno.Addr): string {
  return "hostname" in remote ? remote.hostname : "unix";
}
