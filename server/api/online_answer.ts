import type { z } from "zod";
import type { LiveView } from "../live_view/live_view.ts";
import { currentFreshness, type Servers } from "../presence/servers.ts";
import type { Person } from "@/shared/online.ts";
import { allows } from "@/shared/api.ts";
import type { ApiScope } from "@/shared/api.ts";
import { countedFor, type ReadChannel, requireScope } from "./api_access.ts";
import type { ApiToken } from "./api_tokens.ts";
import type { AnswerHead, ApiPerson, onlineAnswer, onlineQuery } from "./api_schemas.ts";

/** What answers about people who are online are made of. */
export interface OnlineSource {
  counted: readonly ReadChannel[];
  liveView: { publisherOf: LiveView["publisherOf"] };
  servers: Servers;
}

/** What an answer about a channel begins with. */
export function headOf({ recovery }: ReadChannel, servers: Servers): AnswerHead {
  const freshness = currentFreshness(recovery, servers);
  const at = freshness.state === "stale" ? freshness.since : Date.now();
  return { as_of: isoTime(at), state: freshness.state };
}

/** How many are online, and who, as far as the token's scope goes. @throws {ApiError} 403, 404 */
export async function answerOnline(
  { counted, liveView, servers }: OnlineSource,
  token: ApiToken,
  query: z.infer<typeof onlineQuery>,
): Promise<z.infer<typeof onlineAnswer>> {
  requireScopeOfFilters(token, query);
  const channel = countedFor(counted, token, query);
  if (!allows(token.scope, "ids")) return { ...headOf(channel, servers), ...countsOf(channel) };
  const { q = "", status, page, limit, after } = query;
  const { people, next } = await liveView.publisherOf(channel.key)
    .peopleAfter({ search: q, activity: status }, { after, limit, path: page });
  return {
    ...headOf(channel, servers),
    ...countsOf(channel),
    people: people.map((person) => apiPersonOf(person, channel.appId, token.scope)),
    next,
  };
}

/** A filter by what a token must not read would tell it, one guess at a time. */
function requireScopeOfFilters(
  token: ApiToken,
  { q, page, status, after }: z.infer<typeof onlineQuery>,
): void {
  if (q !== undefined) requireScope(token, "names", "q");
  if (page !== undefined) requireScope(token, "names", "page");
  if (status !== undefined) requireScope(token, "ids", "status");
  if (after !== undefined) requireScope(token, "ids", "after");
}

function countsOf({ presence }: ReadChannel) {
  const { users, connections } = presence.counts;
  const { active } = presence;
  return { users, active: active && Math.min(active, users), connections };
}

/** A person as a token of a scope gets it. */
export function apiPersonOf(person: Person, app: string, scope: ApiScope): ApiPerson {
  const { id, since, connections, activity, page } = person;
  const idle = activity?.state === "idle" ? isoTime(activity.since) : null;
  return {
    id,
    ...allows(scope, "names") && {
      name: person.name,
      detail: person.detail ?? null,
      url: person.url ?? null,
    },
    app,
    online_since: isoTime(since),
    connections,
    status: activity?.state ?? null,
    idle_since: idle,
    ...allows(scope, "names") && { page: page?.path ?? null },
    device: page?.device ?? null,
  };
}

/** A time in ms since 1970 as ISO 8601, in UTC. */
export function isoTime(at: number): string {
  return new Date(at).toISOString();
}
