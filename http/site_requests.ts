import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { HttpError } from "fresh";
import { z } from "zod";
import { usesExternalServer } from "@/server/config/client_options.ts";
import { brokenOff } from "@/server/net/broken_off.ts";
import { rateLimitKey } from "@/server/net/window_limits.ts";
import type { Services } from "@/server/services.ts";
import {
  admits,
  type SiteTags,
  type TagCheck,
  type VisitFailure,
} from "@/server/site/site_tags.ts";
import type { SiteTag } from "@/server/site/stored_site_tags.ts";
import { pathOf } from "@/shared/address.ts";
import { keyInScript, siteOf } from "@/shared/site.ts";
import { siteScriptFile } from "./built_files.ts";
import { BodyReader } from "./input.ts";
import {
  blockedText,
  databaseUnavailable,
  leavesBodyUnread,
  refuse,
  rejectionFor,
  serverError,
} from "./rejection.ts";
import { logFailure, logOutage } from "./request_id.ts";
import {
  refuseForeignSocket,
  refuseSocketId,
  refuseUnreachableSocket,
  socketIdSchema,
} from "./socket_claim.ts";
import { define } from "./state.ts";

/** A body has a socket id and a guest. */
const bodies = new BodyReader({
  maxBytes: 1_024,
  timeoutMs: 10_000,
  stalledMs: 2_000,
  maxBodies: 170,
  maxBodiesPerClient: 64,
});

/** How long browsers may keep the script, in seconds: it is as good as new, and a revoked tag ends soon. */
const scriptSeconds = 60;

const visitSchema = z.object({ socket_id: socketIdSchema, guest: z.string().max(200).default("") });

/** A request for a site tag. */
interface Asked {
  request: Request;
  token: string;
  clientAddress: string;
}

/** Where the build is, and whether it is one. */
interface Build {
  root: string;
  mode: string;
}

/**
 * Answers requests of other sites for their tags, without session, cookies and CSRF token: which page may ask
 * is known by its origin. With an external Pusher server there are no tags.
 */
export function answerSites(services: Services) {
  const isCounted = !usesExternalServer(services.config.pusher);
  return define.middleware((ctx) => {
    const site = isCounted ? siteOf(pathOf(ctx.url)) : null;
    if (!site) return ctx.next();
    const { config: build, req: request, state: { clientAddress } } = ctx;
    const asked = { request, token: site.token, clientAddress };
    return answered(
      services,
      () =>
        site.asked === "script" ? script(services, asked, build) : authorization(services, asked),
    );
  });
}

async function answered(
  { database }: Services,
  answer: () => Promise<Response>,
): Promise<Response> {
  try {
    return await answer();
  } catch (error) {
    if (error instanceof HttpError && error.status < 500) {
      const { reason, message } = rejectionFor(error.status, error.message);
      const response = refuse(error.status, reason, message);
      return leavesBodyUnread(error) && response.body
        ? new Response(brokenOff(response.body), response)
        : response;
    }
    const { current: outage } = database.outages;
    if (outage) logOutage(outage);
    else logFailure(error);
    const { reason, message } = outage ? databaseUnavailable() : serverError();
    return outage ? refuseForNow(503, reason, message, 5) : refuse(500, reason, message);
  }
}

async function script(services: Services, asked: Asked, build: Build): Promise<Response> {
  if (!["GET", "HEAD"].includes(asked.request.method)) return refuseMethod("GET, HEAD");
  const check = await services.siteTags.check(asked.token, asked.clientAddress);
  if (!check.ok) return refuseTag(check);
  const text = await scriptText(build);
  return new Response(
    text.replace(`"${keyInScript}"`, () => JSON.stringify(services.pusherApp.key)),
    {
      headers: {
        "content-type": "text/javascript; charset=utf-8",
        "cache-control": `public, max-age=${scriptSeconds}`,
        // For pages that load only what says that they may (COEP).
        "cross-origin-resource-policy": "cross-origin",
      },
    },
  );
}

let builtScript: Promise<string> | undefined;

/** During development the script may be built again. */
function scriptText({ mode, root }: Build): Promise<string> {
  const read = () => readFile(join(root, siteScriptFile), "utf8");
  return mode === "development" ? read() : builtScript ??= read();
}

/** Other origins than those of the tag get no header that would let their pages read the answer (CORS). */
async function authorization({ siteTags }: Services, asked: Asked): Promise<Response> {
  const { request: { headers, method }, token, clientAddress } = asked;
  if (!["OPTIONS", "POST"].includes(method)) return refuseMethod("POST");
  const check = await siteTags.check(token, clientAddress);
  if (!check.ok) return refuseTag(check);
  const origin = headers.get("origin");
  if (!admits(check.tag, origin)) return refuseVisit("origin_refused");
  const response = method === "OPTIONS"
    ? new Response(null, { status: 204, headers: { "access-control-allow-methods": "POST" } })
    : await visitAnswer(siteTags, check.tag, asked);
  response.headers.set("access-control-allow-origin", origin);
  response.headers.set("vary", "origin");
  response.headers.set("cache-control", "no-store");
  return response;
}

async function visitAnswer(siteTags: SiteTags, tag: SiteTag, asked: Asked): Promise<Response> {
  const { request, clientAddress } = asked;
  const body = new URLSearchParams(await bodies.read(request, rateLimitKey(clientAddress)));
  const input = visitSchema.safeParse(Object.fromEntries(body));
  if (!input.success) return refuseSocketId();
  const { socket_id: socketId, guest } = input.data;
  const origin = request.headers.get("origin");
  const visit = await siteTags.admit(tag, { origin, socketId, guest, clientAddress });
  return visit.ok ? Response.json(visit.authorization) : refuseVisit(visit.reason);
}

function refuseTag(check: TagCheck & { ok: false }): Response {
  if (check.reason === "unknown") return refuse(404, "tag_unknown", unknownText);
  const response = refuseForNow(429, check.reason, "Too many requests.", check.retryAfterSeconds);
  // The page has to know that it may ask again; of which origins the tag is, was not looked up.
  response.headers.set("access-control-allow-origin", "*");
  return response;
}

function refuseForNow(status: number, reason: string, message: string, seconds: number): Response {
  const response = refuse(status, reason, message);
  response.headers.set("retry-after", String(seconds));
  return response;
}

const unknownText = "This site tag is invalid or was revoked.";

function refuseVisit(reason: VisitFailure): Response {
  if (reason === "foreign_socket") return refuseForeignSocket();
  if (reason === "unreachable_socket") return refuseUnreachableSocket();
  if (reason === "busy") return refuseForNow(503, reason, "The server is busy.", 1);
  if (reason === "guest_blocked") return refuse(403, reason, blockedText());
  if (reason === "unknown") return refuse(404, "tag_unknown", unknownText);
  const message =
    "The page's origin is not among those of this site tag. An admin adds it in Settings.";
  return refuse(403, reason, message);
}

function refuseMethod(allow: string): Response {
  const response = refuse(405, "method_not_allowed", "Method not allowed.");
  response.headers.set("allow", allow);
  return response;
}
