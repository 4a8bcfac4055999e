import type { AuditQuery } from "@/server/audit/audit_query.ts";
import type { AuditEntry } from "@/server/audit/audit_log.ts";
import { AuditFilterForm } from "./AuditFilterForm.tsx";
import { AuditTable } from "./AuditTable.tsx";
import { Card } from "../page/Card.tsx";
import { ActivityNavigation } from "../activity/ActivityNavigation.tsx";
import { logPages, Pager } from "../page/Pager.tsx";
import type { Named } from "@/shared/audit.ts";

/** The audit log: what admins did, newest first, with a filter. */
export function AuditPage({ path, query, entries, actors, older, newest }: {
  path: string;
  query: AuditQuery;
  entries: AuditEntry[];
  /** The admins to choose from. */
  actors: Named[];
  /** The address of the next page; null on the last one. */
  older: string | null;
  /** The address of the first page; null on that page. */
  newest: string | null;
}) {
  const isFiltered = Object.values(query).some((value) => value !== undefined);
  return (
    <>
      <ActivityNavigation path={path} />
      <Card id="audit" title="Audit log" level={1}>
        <AuditFilterForm query={query} actors={actors} isFiltered={isFiltered} />
        {entries.length > 0
          ? <AuditTable entries={entries} />
          : <p class="empty">{isFiltered ? "No matching entries." : "No admin actions yet."}</p>}
        <Pager {...logPages({ older, newest })} />
        <p class="note">
          Names are shown as they were at the time. Entries can't be edited or deleted, and an
          action fails if it can't be logged.
        </p>
      </Card>
    </>
  );
}
