import { commandLine } from "@/shared/audit.ts";
import type { AuditEntry } from "@/server/audit/audit_log.ts";
import { actionText, detailText } from "./audit_text.ts";
import { PersonLink } from "../people/PersonLink.tsx";
import { Time } from "../page/Time.tsx";

/** The entries of the audit log. */
export function AuditTable({ entries }: { entries: AuditEntry[] }) {
  return (
    <table class="activity-table audit">
      <thead>
        <tr>
          <th scope="col" class="activity-time">Time</th>
          <th scope="col">By</th>
          <th scope="col">Event</th>
          <th scope="col">Target</th>
        </tr>
      </thead>
      <tbody>
        {entries.map((entry, index) => (
          <tr key={index}>
            <td class="activity-time">
              <Time at={entry.at} after={entries[index - 1]?.at ?? null} />
            </td>
            <th scope="row">
              {entry.actor.id === commandLine.id
                ? entry.actor.name
                : <PersonLink {...entry.actor} />}
            </th>
            <td class="audit-event">
              {actionText[entry.action]}
              <Details details={entry.details} />
            </td>
            <td class="audit-target">
              {entry.target &&
                (isPerson(entry) ? <PersonLink {...entry.target} /> : entry.target.name)}
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

function Details({ details }: Pick<AuditEntry, "details">) {
  const text = detailText(details);
  return text ? <span class="audit-details" dir="auto">{text}</span> : null;
}

/** Whether the target is a person, not an app, a channel, a link or a setting. */
function isPerson({ action }: AuditEntry): boolean {
  return !/^(alert|app|attendance|channel|embed|invite|wallboard)_/.test(action);
}
