import { type AuditQuery } from "../../audit/audit_query.ts";
import type { AuditEntry } from "../../audit/audit_log.ts";
import { AuditFilterForm } from "./AuditFilterForm.tsx";
import { AuditTable } from "./AuditTable.tsx";
import { Card } from "../frame/Card.tsx";
import { LogNavigation } from "./LogNavigation.tsx";
import { LogPages } from "./LogPages.tsx";
import type { Named } from "../../shared/audit.ts";

/** What admins did, newest first, to be filtered. */
export function AuditPage({ path, query, entries, actors, older, newest }: {
  path: string;
  query: AuditQuery;
  entries: AuditEntry[];
  /** Who can be chosen. */
  actors: Named[];
  /** Where the entries after these are; null when there are none. */
  older: string | null;
  /** Where the newest are; null on their page. */
  newest: string | null;
}) {
  const isFiltered = Object.values(query).some((value) => value !== undefined);
  return (
    <>
      <LogNavigation path={path} />
      <Card id="audit" title="Audit" level={1}>
        <AuditFilterForm query={query} actors={actors} isFiltered={isFiltered} />
        {entries.length > 0
          ? <AuditTable entries={entries} />
          : <p class="empty">{isFiltered ? "Nothing was found." : "No admin has done anything."}
          </p>}
        <LogPages older={older} newest={newest} />
        <p class="note">
          Names are those of that time. Entries are never changed or deleted here, and nothing that
          is listed is done when its entry cannot be written.
        </p>
      </Card>
    </>
  );
}
