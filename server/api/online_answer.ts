import type { z } from "zod";
import type { LiveView } from "../live_view/live_view.ts";
import { currentFreshness, type Servers } from "../presence/servers.ts";
import type { OnlineRecorder } from "../recording/online_recorder.ts";
import type { Person } from "@/shared/online.ts";
import { allows } from "@/shared/api.ts";
import type { ApiScope } from "@/shared/api.ts";
import { countedFor, type ReadChannel, requireScope } from "./api_access.ts";
import type { ApiToken } from "./api_tokens.ts";
import type {
  AnswerHead,
  ApiPerson,
  onlineAnswer,
  onlineQuery,
  statusAnswer,
  statusBody,
} from "./api_schemas.ts";

/** What answers about people who are online are made of. */
export interface OnlineSource {
  counted: readonly ReadChannel[];
  liveView: { publisherOf: LiveView["publisherOf"] };
  servers: Servers;
}

/** What answers about some people are made of. */
export interface StatusSource extends OnlineSource {
  onlineRecorder: OnlineRecorder;
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
    .peopleAfter({ search: q, only: status }, { after, limit, path: page });
  return {
    ...headOf(channel, servers),
    ...countsOf(channel),
    people: people.map((person) => apiPersonOf(person, channel.appId, token.scope)),
    next,
  };
}

/** Of each id once, whether the person is online, and otherwise when it last was. @throws {ApiError} 404 */
export async function answerStatus(
  { counted, onlineRecorder, servers }: StatusSource,
  token: ApiToken,
  { ids, ...choice }: z.infer<typeof statusBody>,
): Promise<z.infer<typeof statusAnswer>> {
  const channel = countedFor(counted, token, choice);
  const { key, presence } = channel;
  const asked = new Set(ids);
  const online = new Set(ids.filter((id) => presence.has(id)));
  const { members } = await presence.usersOnAllServers(online);
  const byId = new Map(members.map((member) => [member.userId, member]));
  const offline = [...asked.difference(online)];
  const lastSeen = await onlineRecorder.lastSeen(key, offline);
  const people = Array.from(asked, (id) => {
    // Of a server that does not answer, it is only known that the person is there.
    const { since, lastSeenAt = Date.now(), activity } = byId.get(id) ?? {};
    const isOnline = online.has(id);
    return {
      id,
      online: isOnline,
      status: activity?.state ?? null,
      online_since: isOnline ? timeOrNull(since) : null,
      last_seen: timeOrNull(isOnline ? lastSeenAt : lastSeen.get(id)),
    };
  });
  return { ...headOf(channel, servers), people };
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

/** How many are in a channel. */
export function countsOf({ presence }: ReadChannel) {
  const { users, guests = 0, connections } = presence.counts;
  const { active } = presence;
  return { users, guests, active: active && Math.min(active, users), connections };
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

function timeOrNull(at: number | undefined): string | null {
  return at === undefined ? null : isoTime(at);
}
