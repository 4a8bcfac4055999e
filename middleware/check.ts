import { pathOf } from "../shared/address.ts";
import { isTrusted } from "../network/client_address.ts";
import { define } from "../state.ts";
import {
  answerTo,
  isSelfRequest,
  selfRequestPath,
  type Sighting,
  testCookie,
} from "../check/probe.ts";
import type { Services } from "../services.ts";
import { peerOf } from "./client_address.ts";

/** The headers that proxies add of their own accord; clients have no reason to. */
const proxyHeaders = ["forwarded", "via", "x-forwarded-host", "x-forwarded-proto", "x-real-ip"];

/** How many proxies in a row are told of. */
const mostProxies = 8;

/**
 * Answers the self-test of this installation, which asks whether this is it and what is seen of the
 * request. To everybody else there is nothing at this address.
 */
export function answerCheck({ appSecret, config }: Services) {
  const processId = crypto.randomUUID();
  return define.middleware((ctx) => {
    if (pathOf(ctx.url) !== selfRequestPath) return ctx.next();
    const question = ctx.url.searchParams.get("question");
    if (!isSelfRequest(appSecret, question)) return ctx.next();
    const peer = peerOf(ctx.info.remoteAddr);
    return Response.json(answerTo(appSecret, question, {
      process: processId,
      time: Date.now(),
      peer: { address: peer, port: portOf(ctx.info.remoteAddr) },
      isPeerTrusted: isTrusted(peer, config.trustedProxies),
      client: ctx.state.clientAddress,
      ...headersOf(ctx.req.headers),
    }));
  });
}

function headersOf(headers: Headers): Pick<Sighting, SeenHeader> {
  const forwardedFor = headers.get("x-forwarded-for");
  return {
    forwardedFor: forwardedFor?.split(",", mostProxies).map((entry) => entry.trim()) ?? [],
    proxyHeaders: proxyHeaders.filter((name) => headers.has(name)),
    host: headers.get("host") ?? "",
    hasCookie: headers.get("cookie")?.includes(testCookie) ?? false,
    hasOrigin: headers.has("origin"),
  };
}

type SeenHeader = "forwardedFor" | "proxyHeaders" | "host" | "hasCookie" | "hasOrigin";

function portOf(remote: Deno.Addr): number | null {
  return "port" in remote ? remote.port : null;
}
