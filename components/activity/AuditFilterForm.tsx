import { href } from "../../shared/address.ts";
import type { AuditQuery } from "../../audit/audit_query.ts";
import { actionText } from "./audit_text.ts";
import { Button } from "../forms/Button.tsx";
import type { Named } from "../../shared/audit.ts";

/** The form that asks the audit log for some of its entries. */
export function AuditFilterForm({ query: { actor, action, target }, actors, isFiltered }: {
  query: AuditQuery;
  /** Who can be chosen. */
  actors: Named[];
  /** Whether anything is asked for. */
  isFiltered: boolean;
}) {
  return (
    <form class="form log-filter" role="search" aria-label="Filter the log">
      {target !== undefined && <input type="hidden" name="target" value={target} />}
      <div class="field">
        <label for="audit-actor">By</label>
        <select id="audit-actor" name="actor">
          <option value="">Every admin</option>
          {actors.map(({ id, name }) => (
            <option key={id} value={id} selected={id === actor}>{name}</option>
          ))}
        </select>
      </div>
      <div class="field">
        <label for="audit-action">What</label>
        <select id="audit-action" name="action">
          <option value="">Everything</option>
          {Object.entries(actionText).map(([word, words]) => (
            <option key={word} value={word} selected={word === action}>{words}</option>
          ))}
        </select>
      </div>
      <div class="log-filter-end">
        <Button>Filter</Button>
        {isFiltered && <a class="button button-quiet" href={href("/admin/audit")}>Clear</a>}
      </div>
    </form>
  );
}
