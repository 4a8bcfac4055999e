import { HttpError } from "fresh";
import { Unavailable } from "@/realtime/brokers/broker.ts";
import { ApiError, countedFor } from "@/server/api/api_access.ts";
import {
  type ApiCall,
  apiCalls,
  type ApiRoute,
  type ApiSource,
  eventsCall,
} from "@/server/api/api_calls.ts";
import { eventsQuery, parametersOf, readInput } from "@/server/api/api_schemas.ts";
import { eventHeaders } from "@/server/api/event_frames.ts";
import { openApi, openApiPath } from "@/server/api/openapi.ts";
import { usesExternalServer } from "@/server/config/client_options.ts";
import { BusyError, rateLimitKey } from "@/server/net/window_limits.ts";
import { brokenOff } from "@/server/net/broken_off.ts";
import { answerMessage } from "@/server/people/send_message.ts";
import type { Services } from "@/server/services.ts";
import { mostAskedPeople } from "@/shared/api.ts";
import { pathOf } from "@/shared/address.ts";
import { BodyReader } from "./input.ts";
import { leavesBodyUnread, rejectionFor } from "./rejection.ts";
import { logFailure, logOutage } from "./request_id.ts";
import { define } from "./state.ts";

/** A body has as many ids as one call may, each of up to 128 characters, and arrives at once. */
const bodies = new BodyReader({
  maxBytes: mostAskedPeople * 512,
  timeoutMs: 10_000,
  stalledMs: 2_000,
  maxBodies: 64,
  maxBodiesPerClient: 16,
});

/** What a call is answered with: who asks is known by a bearer token alone. */
interface Asked {
  request: Request;
  url: URL;
  clientAddress: string;
}

/**
 * Answers the API for other programs, below `/api/`: without session, cookies and CSRF token, which bearer
 * tokens replace, and without CORS, as a token does not belong into a page.
 */
export function answerApi(services: Services) {
  // Made once, as strangers can ask for it.
  let description: ReturnType<typeof openApi> | undefined;
  const describe = () => Response.json(description ??= openApi(services.config.basePath || "/"));
  return define.middleware(async ({ next, req: request, state: { clientAddress }, url }) => {
    const path = pathOf(url);
    if (path !== "/api" && !path.startsWith("/api/")) return await next();
    const isDescription = path === openApiPath && ["GET", "HEAD"].includes(request.method);
    const response = isDescription
      ? describe()
      : await answered(services, { request, url, clientAddress });
    if (!response.headers.has("cache-control")) response.headers.set("cache-control", "no-store");
    return response;
  });
}

async function answered(services: Services, asked: Asked): Promise<Response> {
  try {
    return await answer(services, asked);
  } catch (error) {
    const refusal = refusalOf(error, services).response();
    if (!leavesBodyUnread(error) || !refusal.body) return refusal;
    return new Response(brokenOff(refusal.body), refusal);
  }
}

async function answer(
  services: Services,
  { request, url, clientAddress }: Asked,
): Promise<Response> {
  const call = callOf(request.method, pathOf(url));
  const { apiAccess, config, counted, eventStreams } = services;
  const token = await apiAccess.authorize(request.headers, clientAddress, call.scope);
  if (usesExternalServer(config.pusher)) {
    throw new ApiError(404, "unknown_channel", "With an external Pusher server no one is counted.");
  }
  const input = call.method === "GET" ? parametersOf(url) : await bodyOf(request, clientAddress);
  const read = readInput(call.input, input);
  if ("run" in call) {
    const source = sourceOf(services);
    return Response.json(await apiAccess.run(token, () => call.run(source, token, read)));
  }
  const channel = countedFor(counted, token, eventsQuery.parse(read));
  if (request.method === "HEAD") return new Response(null, { headers: eventHeaders });
  return eventStreams.answer(channel, token, request.headers.get("last-event-id"));
}

function sourceOf(services: Services): ApiSource {
  const { accounts, config, counted, liveView, onlineRecorder, servers } = services;
  const { auditLog, database, markLimit } = services;
  return {
    accounts,
    auditLog,
    counted,
    database,
    markLimit,
    liveView,
    onlineRecorder,
    servers,
    timeZone: config.timeZone,
    sendMessage: (token, message) => answerMessage(services, token, message),
  };
}

/** @throws {ApiError} 404, 405 */
function callOf(method: string, path: string): ApiCall | ApiRoute {
  const calls = [...apiCalls, eventsCall].filter((call) => call.path === path);
  if (calls.length === 0) throw new ApiError(404, "unknown_call", "There is no such call.");
  const found = calls.find((call) => call.method === (method === "HEAD" ? "GET" : method));
  if (found) return found;
  const allow = calls.map((call) => call.method).join(", ");
  throw new ApiError(405, "method_not_allowed", `Send this call with ${allow}.`, { allow });
}

async function bodyOf(request: Request, clientAddress: string): Promise<unknown> {
  const text = await bodies.read(request, rateLimitKey(clientAddress));
  const type = (request.headers.get("content-type") ?? "").split(";")[0].trim().toLowerCase();
  if (type !== "application/json") {
    throw new ApiError(415, "body_refused", "Send JSON, with Content-Type: application/json.");
  }
  try {
    return JSON.parse(text);
  } catch {
    throw new ApiError(400, "invalid_request", "body: It is not valid JSON.");
  }
}

/** Nothing of an unexpected error is revealed; it is logged. */
function refusalOf(error: unknown, { database }: Services): ApiError {
  if (error instanceof ApiError) return error;
  if (error instanceof BusyError) {
    const headers = { "retry-after": String(error.retryAfterSeconds) };
    return new ApiError(429, "too_many_requests", "Too many requests at a time.", headers);
  }
  if (error instanceof HttpError && error.status < 500) {
    return new ApiError(
      error.status,
      "body_refused",
      rejectionFor(error.status, error.message).message,
    );
  }
  const { current: outage } = database.outages;
  if (outage) logOutage(outage);
  if (outage || error instanceof Unavailable) {
    const what = outage ? "The database" : "Another server";
    const message = `${what} is not available right now. Try again in a few seconds.`;
    return new ApiError(503, "unavailable", message, { "retry-after": "5" });
  }
  logFailure(error);
  return new ApiError(
    500,
    "server_error",
    "Something went wrong on our end. The error was logged.",
  );
}
