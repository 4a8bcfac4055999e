import { STATUS_CODE } from "@std/http/status";
import { isSameText } from "@/realtime/protocol/signature.ts";
import { pathOf } from "@/shared/address.ts";
import { define } from "./state.ts";
import { databaseAnswers } from "@/server/database/unavailable.ts";
import { metricsOfAll } from "@/server/observability/metrics.ts";
import { workerRole } from "@/server/config/worker_role.ts";
import type { Services } from "@/server/services.ts";

/**
 * Answers monitoring, without session and cookies. `/up` states whether the server can serve; `/metrics`
 * exists if a token for it is set.
 */
export function answerProbes(services: Services) {
  const up = upOf(services);
  const token = services.config.metricsToken;
  return define.middleware((ctx) => {
    const path = pathOf(ctx.url);
    if (!["GET", "HEAD"].includes(ctx.req.method)) return ctx.next();
    if (path === "/up") return up();
    if (path !== "/metrics" || token === undefined) return ctx.next();
    return metricsFor(ctx.req.headers.get("authorization"), token, services);
  });
}

/**
 * 200 while the server accepts work and its database answers in time, else 503; also 503 when it alone has
 * lost Redis, so that clients are sent to other servers. What no restart and no other server would help is
 * named, with 200, and the count goes on: a database that can be read but not written, and numbers that
 * are stale because no server reaches Redis.
 */
function upOf({ realtime, database, servers }: Services): () => Promise<Response> {
  const isThere = databaseAnswers(database);
  return async () => {
    if (realtime.isDraining) return plain("draining", STATUS_CODE.ServiceUnavailable);
    if (!await isThere()) return plain("no database", STATUS_CODE.ServiceUnavailable);
    if (servers.isPartitioned) return plain(partitionedText, STATUS_CODE.ServiceUnavailable);
    const faults = [...databaseFaults(database), ...serverFaults(servers)];
    return plain(faults.length === 0 ? "up" : `up, but ${faults.join(", and ")}`, STATUS_CODE.OK);
  };
}

const partitionedText = "partitioned: other servers reach Redis, and this one does not";

function databaseFaults({ outages: { current } }: Services["database"]): string[] {
  return current?.isReadable ? [`the database cannot be written: ${current.reason}`] : [];
}

function serverFaults({ areSeveral, staleSince, alive, place }: Services["servers"]): string[] {
  if (!areSeveral) return [];
  if (staleSince !== undefined) {
    const missing = place === "coordinator" ? "no coordinator" : "no Redis";
    return [`stale since ${new Date(staleSince).toISOString()}: ${missing}`];
  }
  return alive.alive < alive.known ? [`${alive.alive} of ${alive.known} servers answer`] : [];
}

function plain(text: string, status: number): Response {
  return new Response(`${text}\n`, { status, headers: { "cache-control": "no-store" } });
}

/** The metrics of this process, and of the other workers of its supervisor. */
async function metricsOf({ cluster, metrics }: Services): Promise<string> {
  if (!cluster || !workerRole) return await metrics.text();
  const { group, number: worker } = workerRole;
  const [text, others] = await Promise.all([
    metrics.text(),
    cluster.bus.others.metrics(group),
  ]);
  return metricsOfAll([{ worker, text }, ...others]);
}

/** All metrics, for requests with the bearer token (RFC 6750). */
async function metricsFor(
  authorization: string | null,
  token: string,
  services: Services,
): Promise<Response> {
  const bearer = /^Bearer +(\S+)$/i.exec(authorization ?? "")?.[1];
  if (bearer === undefined || !isSameText(bearer, token)) {
    const headers = { "www-authenticate": 'Bearer realm="metrics"' };
    return new Response("Token required\n", { status: STATUS_CODE.Unauthorized, headers });
  }
  const headers = {
    "content-type": services.metrics.contentType,
    "cache-control": "no-store",
  };
  return new Response(await metricsOf(services), { headers });
}
