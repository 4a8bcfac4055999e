import { pathOf } from "@/shared/address.ts";
import { isTrusted } from "@/server/net/client_address.ts";
import { define } from "./state.ts";
import {
  isSelfRequest,
  type ReceivedRequest,
  selfRequestAnswer,
  selfRequestCookie,
  selfRequestPath,
} from "@/server/check/self_request.ts";
import type { Services } from "@/server/services.ts";
import { peerOf } from "./steps.ts";

/** Headers that proxies add and clients have no reason to send. */
const proxyHeaders = ["forwarded", "via", "x-forwarded-host", "x-forwarded-proto", "x-real-ip"];

/** How many entries of `X-Forwarded-For` are reported. */
const maxProxies = 8;

/**
 * Answers the self-request of this installation's check with what the server received of it. For all
 * other requests the address does not exist.
 */
export function answerCheck({ appSecret, config, servers }: Services) {
  const processId = crypto.randomUUID();
  return define.middleware((ctx) => {
    if (pathOf(ctx.url) !== selfRequestPath) return ctx.next();
    const token = ctx.url.searchParams.get("token");
    if (!isSelfRequest(appSecret, token)) return ctx.next();
    const peer = peerOf(ctx.info.remoteAddr);
    return Response.json(selfRequestAnswer(appSecret, token, {
      process: processId,
      sharesCount: servers.areSeveral,
      time: Date.now(),
      peer: { address: peer, port: portOf(ctx.info.remoteAddr) },
      isPeerTrusted: isTrusted(peer, config.trustedProxies),
      client: ctx.state.clientAddress,
      ...headersOf(ctx.req.headers),
    }));
  });
}

function headersOf(headers: Headers): Pick<ReceivedRequest, ReceivedHeader> {
  const forwardedFor = headers.get("x-forwarded-for");
  return {
    forwardedFor: forwardedFor?.split(",", maxProxies).map((entry) => entry.trim()) ?? [],
    proxyHeaders: proxyHeaders.filter((name) => headers.has(name)),
    host: headers.get("host") ?? "",
    hasCookie: headers.get("cookie")?.includes(selfRequestCookie) ?? false,
    hasOrigin: headers.has("origin"),
  };
}

type ReceivedHeader = "forwardedFor" | "proxyHeaders" | "host" | "hasCookie" | "hasOrigin";

function portOf(remote: Deno.Addr): number | null {
  return "port" in remote ? remote.port : null;
}
