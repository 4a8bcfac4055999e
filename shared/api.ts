/**
 * What an API token lets its bearer do: read numbers, who is online by id, and by name, each with all before it;
 * or send messages, or mark the history, and read nothing.
 */
export const apiScopes = ["count", "ids", "names", "messages", "marks"] as const;

/** One of {@link apiScopes}. */
export type ApiScope = typeof apiScopes[number];

/** What a scope allows, as admins choose it. */
export const apiScopeText: Record<ApiScope, string> = {
  count: "Read numbers only",
  ids: "Read who is online, by ID",
  names: "Read who is online, with names and pages",
  messages: "Send messages only",
  marks: "Mark deploys in the history only",
};

/** Whether no other scope has what a scope allows, and the reverse. */
export function standsAlone(scope: ApiScope): boolean {
  return scope === "messages" || scope === "marks";
}

/** Whether a scope allows what needs another one. */
export function allows(scope: ApiScope, needed: ApiScope): boolean {
  if (standsAlone(scope) || standsAlone(needed)) return scope === needed;
  return apiScopes.indexOf(scope) >= apiScopes.indexOf(needed);
}

/** The beginning of the paths of all calls. */
export const apiPath = "/api/v1";

/** The beginning of each token, by which programs that look for leaked secrets know it. */
export const apiTokenPrefix = "rollcall_";

/** The most people or entries of one answer, and how many it has unless the call says so. */
export const apiPage = { most: 1_000, usual: 100 };

/** The most days of one answer, and how many it has unless the call says so. */
export const [mostDays, usualDays] = [366, 30];

/** The most people of whom one call asks whether they are online. */
export const mostAskedPeople = 1_000;
