import type { AuditQuery } from "@/server/audit/audit_query.ts";
import { actionText } from "./audit_text.ts";
import { LogFilter } from "../activity/LogFilter.tsx";
import type { Named } from "@/shared/audit.ts";

/** The form that filters the audit log. */
export function AuditFilterForm({ query: { actor, action, target }, actors, isFiltered }: {
  query: AuditQuery;
  /** The people to choose from. */
  actors: Named[];
  /** Whether a filter is set. */
  isFiltered: boolean;
}) {
  return (
    <LogFilter path="/admin/audit" isFiltered={isFiltered}>
      {target !== undefined && <input type="hidden" name="target" value={target} />}
      <div class="field">
        <label for="audit-actor">By</label>
        <select id="audit-actor" name="actor">
          <option value="">Everyone</option>
          {actors.map(({ id, name }) => (
            <option key={id} value={id} selected={id === actor}>{name}</option>
          ))}
        </select>
      </div>
      <div class="field">
        <label for="audit-action">Event</label>
        <select id="audit-action" name="action">
          <option value="">All actions</option>
          {Object.entries(actionText).map(([known, label]) => (
            <option key={known} value={known} selected={known === action}>{label}</option>
          ))}
        </select>
      </div>
    </LogFilter>
  );
}
