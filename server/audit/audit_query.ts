import { z } from "zod";
import { maxUserIdLength } from "@/realtime/protocol/users.ts";
import { auditActions, type AuditFilter } from "./audit_log.ts";

const idSchema = z.string().min(1).max(maxUserIdLength).optional().catch(undefined);

/** The filter of the audit page. Invalid values do not filter. */
const querySchema = z.object({
  actor: idSchema,
  target: idSchema,
  action: z.enum(auditActions).optional().catch(undefined),
});

/** The filter of the audit page, as the query of its URL has it. */
export type AuditQuery = z.infer<typeof querySchema>;

/** Reads the query of a URL. */
export function readAuditQuery(parameters: URLSearchParams): AuditQuery {
  return querySchema.parse(Object.fromEntries(parameters));
}

/** The path of the audit page with a filter. `before` is the `next` of the page before. */
export function auditPath(query: AuditQuery, before?: string): string {
  const given = Object.entries({ ...query, before }).filter(([, value]) => value !== undefined);
  return given.length === 0
    ? "/admin/audit"
    : `/admin/audit?${new URLSearchParams(given as [string, string][])}`;
}

/** The filter for the log of a query. */
export function auditFilter({ actor, target, action }: AuditQuery): AuditFilter {
  return { actorId: actor, targetId: target, action };
}
