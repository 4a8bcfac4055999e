import { pathOf } from "../browser/address.ts";
import { define } from "../define.ts";
import {
  answerTo,
  isQuestion,
  questionPath,
  type Sighting,
  testCookie,
} from "../self_test/question.ts";
import type { Services } from "../services.ts";
import { peerAddress } from "./peer_address.ts";

/** The headers that proxies add of their own accord; clients have no reason to. */
const proxyHeaders = ["forwarded", "via", "x-forwarded-host", "x-forwarded-proto", "x-real-ip"];

/** How many proxies in a row are told of. */
const mostProxies = 8;

/**
 * Answers the self-test of this installation, which asks whether this is it and what is seen of the
 * request. To everybody else there is nothing at this address.
 */
export function answerSelfTest({ appSecret }: Services) {
  const processId = crypto.randomUUID();
  return define.middleware((ctx) => {
    if (pathOf(ctx.url) !== questionPath) return ctx.next();
    const question = ctx.url.searchParams.get("question");
    if (!isQuestion(appSecret, question)) return ctx.next();
    const sighting = { process: processId, time: Date.now(), ...sightingOf(ctx.req, ctx.info) };
    return Response.json(answerTo(appSecret, question, sighting));
  });
}

function sightingOf(
  { headers }: Request,
  { remoteAddr }: { remoteAddr: Deno.Addr },
): Omit<Sighting, "process" | "time"> {
  const forwardedFor = headers.get("x-forwarded-for");
  return {
    peer: {
      address: peerAddress(remoteAddr),
      port: "port" in remoteAddr ? remoteAddr.port : null,
    },
    isPeerTrusted: false,
    client: peerAddress(remoteAddr),
    forwardedFor: forwardedFor?.split(",", mostProxies).map((entry) => entry.trim()) ?? [],
    proxyHeaders: proxyHeaders.filter((name) => headers.has(name)),
    host: headers.get("host") ?? "",
    hasCookie: headers.get("cookie")?.includes(testCookie) ?? false,
    hasOrigin: headers.has("origin"),
  };
}
