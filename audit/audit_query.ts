import { z } from "zod";
import { maxUserIdLength } from "../realtime/protocol/users.ts";
import { auditActions, type AuditFilter } from "./audit_log.ts";

const idSchema = z.string().min(1).max(maxUserIdLength).optional().catch(undefined);

/** What the address asks of the audit log; what it cannot mean is left out. */
const querySchema = z.object({
  actor: idSchema,
  target: idSchema,
  action: z.enum(auditActions).optional().catch(undefined),
});

/** Which entries are asked for, in the words of the address. */
export type AuditQuery = z.infer<typeof querySchema>;

/** Reads the query of an address. */
export function readAuditQuery(address: URLSearchParams): AuditQuery {
  return querySchema.parse(Object.fromEntries(address));
}

/** The path of the entries asked for; `before` is a place in them. */
export function auditPath(query: AuditQuery, before?: string): string {
  const given = Object.entries({ ...query, before }).filter(([, value]) => value !== undefined);
  return given.length === 0
    ? "/admin/audit"
    : `/admin/audit?${new URLSearchParams(given as [string, string][])}`;
}

/** The same for the log. */
export function auditFilter({ actor, target, action }: AuditQuery): AuditFilter {
  return { actorId: actor, targetId: target, action };
}
