import { authenticate } from "./signed_call.ts";
import { ApiError, badRequest, forbidden, readSignedBody, unavailable } from "./api_request.ts";
import { listChannels, listUsers, showChannel, updateUser } from "./channel_attributes.ts";
import { triggerBatch, triggerEvent } from "./events.ts";
import type { AppApi } from "./app_api.ts";
import { Unavailable } from "../brokers/broker.ts";
import { type RejectionListener, rejectionOf, type RejectionReason } from "../events/rejections.ts";
import type { LogEntry } from "../options.ts";
import { maxUserIdLength } from "../protocol/member.ts";

export interface HttpApiOptions {
  /** The app of an id, if it is served. */
  appOf: (id: string) => AppApi | undefined;
  /** The body of a call, in bytes. Default 1 MiB: ten events of 10 KB fit, however they are escaped. */
  maxBodyBytes?: number;
  log?: (entry: LogEntry) => void;
  /** Is called with each call that is not of an app, or not authenticated. */
  rejected?: RejectionListener;
  /** The date in milliseconds since 1970. */
  now?: () => number;
}

/** A call that is authenticated and has the body that was signed. */
interface Call {
  app: AppApi;
  /** The first variable part of the path: a channel name or a user id. */
  name: string;
  /** The second one, if there is one. */
  userId: string;
  query: Record<string, string>;
  body: string;
}

/** Every call: its method, its path below `/apps/ID/`, and the function that answers it. */
const calls: { method: string; path: RegExp; run: (call: Call) => unknown }[] = [
  { method: "POST", path: /^events$/, run: ({ app, body }) => triggerEvent(app, body) },
  { method: "POST", path: /^batch_events$/, run: ({ app, body }) => triggerBatch(app, body) },
  { method: "GET", path: /^channels$/, run: ({ app, query }) => listChannels(app, query) },
  {
    method: "GET",
    path: /^channels\/([^/]+)$/,
    run: ({ app, name, query }) => showChannel(app, name, query),
  },
  {
    method: "GET",
    path: /^channels\/([^/]+)\/users$/,
    run: ({ app, name, query }) => listUsers(app, name, query),
  },
  {
    method: "POST",
    path: /^channels\/([^/]+)\/users\/([^/]+)$/,
    run: ({ app, name, userId, body }) => updateUser(app, { name, userId, body }),
  },
  {
    method: "POST",
    path: /^users\/([^/]+)\/terminate_connections$/,
    run: ({ app, name }) => terminateConnections(app, name),
  },
];

function terminateConnections(app: AppApi, userId: string): unknown {
  if (userId.length > maxUserIdLength) {
    throw badRequest(`a user id has at most ${maxUserIdLength} characters`);
  }
  app.terminateUser(userId);
  return {};
}

/** The largest body of a request, in bytes. */
export const apiBodyBytes = 1_048_576;

/** Pusher's HTTP API for servers, `[/PREFIX]/apps/ID/…`. It does not listen: pass it the requests. */
export class HttpApi {
  readonly #appOf: (id: string) => AppApi | undefined;
  readonly #maxBodyBytes: number;
  readonly #log: (entry: LogEntry) => void;
  readonly #rejected: RejectionListener;
  readonly #now: () => number;

  constructor(options: HttpApiOptions) {
    const { appOf, maxBodyBytes = apiBodyBytes, log = () => {}, now = Date.now } = options;
    this.#rejected = options.rejected ?? (() => {});
    this.#appOf = appOf;
    this.#maxBodyBytes = maxBodyBytes;
    this.#log = log;
    this.#now = now;
  }

  /** Whether a path belongs to the API: below `/apps/`, or one of its calls behind any prefix. */
  handles(pathname: string): boolean {
    if (pathname.startsWith("/apps/")) return true;
    const { path } = addressOf(pathname);
    return calls.some((call) => call.path.test(path));
  }

  /**
   * Carries out a call.
   *
   * @returns 200 with JSON; 400 malformed, 401 not authenticated, 403 the app is disabled or over its
   * quota, 404 no such app, call or user, 405 another method, 413 too large, 503 while the servers do not
   * reach each other, each with `reason` and `message` as JSON. Never rejects.
   */
  async answer(request: Request): Promise<Response> {
    try {
      return Response.json(await this.#run(request));
    } catch (error) {
      await request.body?.cancel().catch(() => {});
      if (error instanceof ApiError) {
        this.#reject(error, request);
        return error.toResponse();
      }
      if (error instanceof Unavailable) return unavailable(error).toResponse();
      this.#log({ level: "error", message: "A call of the HTTP API failed", error });
      return new ApiError(500, "server_error", "Internal server error").toResponse();
    }
  }

  #reject({ reason, message, signed }: ApiError, request: Request): void {
    const rejectionReason = rejectionReasons[reason];
    if (!rejectionReason) return;
    const { appId } = addressOf(URL.parse(request.url)?.pathname ?? "");
    const rejection = rejectionOf({ reason: rejectionReason, from: "api", message, ...signed });
    this.#rejected(rejection, this.#appOf(appId)?.settings);
  }

  async #run(request: Request): Promise<unknown> {
    const url = URL.parse(request.url);
    if (!url) throw badRequest("The request's host or path is malformed");
    const { pathname, search } = url;
    const { prefixLength, appId, path } = addressOf(pathname);
    const { run, ...named } = callOf(request.method, path);
    const app = this.#appOf(appId);
    if (!app) throw new ApiError(404, "unknown_app", `There is no app ${appId.slice(0, 100)}`);
    const signed = { method: request.method, pathname, prefixLength, query: search.slice(1) };
    const query = authenticate(app.settings, signed, this.#now());
    const refusal = app.takeCall();
    if (refusal) throw forbidden(refusal);
    const body = await readSignedBody(request, query.body_md5, this.#maxBodyBytes);
    return await run({ app, ...named, query, body });
  }
}

/** The reasons of refusals that the caller's developer can mend. */
const rejectionReasons: Partial<Record<string, RejectionReason>> = {
  unknown_app: "unknown_app",
  unknown_key: "wrong_key",
  expired_timestamp: "wrong_clock",
  invalid_signature: "wrong_signature",
  invalid_body_md5: "wrong_signature",
};

function addressOf(pathname: string): { prefixLength: number; appId: string; path: string } {
  const match = /^(.*)\/apps\/([^/]+)\/((?:events|batch_events|channels|users)(?:\/.*)?)$/
    .exec(pathname);
  const [, prefix = "", appId = "", path = ""] = match ?? [];
  return { prefixLength: prefix.length, appId: decoded(appId), path };
}

/** Which call it is, and what its path names. */
interface Called {
  run: (call: Call) => unknown;
  name: string;
  userId: string;
}

function callOf(method: string, path: string): Called {
  const there = calls.filter((call) => call.path.test(path));
  const call = there.find((one) => one.method === method);
  if (call) {
    const [, name = "", userId = ""] = call.path.exec(path) ?? [];
    return { run: call.run, name: decoded(name), userId: decoded(userId) };
  }
  if (there.length === 0) throw new ApiError(404, "unknown_call", "The API has no such call");
  const [{ method: allow }] = there;
  throw new ApiError(405, "wrong_method", `The method of this call is ${allow}`, { allow });
}

function decoded(segment: string): string {
  try {
    return decodeURIComponent(segment);
  } catch {
    throw badRequest("The path is not percent-encoded");
  }
}
