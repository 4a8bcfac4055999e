import { commandLine } from "../../shared/audit.ts";
import type { AuditEntry } from "../../audit/audit_log.ts";
import { actionText, detailText } from "./audit_text.ts";
import { PersonLink } from "../people/PersonLink.tsx";
import { Time } from "../frame/Time.tsx";

/** Who did what to whom. */
export function AuditTable({ entries }: { entries: AuditEntry[] }) {
  return (
    <table class="log audit">
      <thead>
        <tr>
          <th scope="col" class="log-time">Time</th>
          <th scope="col">By</th>
          <th scope="col">What</th>
          <th scope="col">Whom</th>
        </tr>
      </thead>
      <tbody>
        {entries.map((entry, index) => (
          <tr key={index}>
            <td class="log-time">
              <Time at={entry.at} />
            </td>
            <th scope="row">
              {entry.actor.id === commandLine.id
                ? entry.actor.name
                : <PersonLink {...entry.actor} />}
            </th>
            <td class="audit-what">
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
  const words = detailText(details);
  return words ? <span class="audit-details" dir="auto">{words}</span> : null;
}

/** Whether it was done to a person, and not to a link or a setting. */
function isPerson({ action }: AuditEntry): boolean {
  return !/^(alert|wallboard|attendance)_/.test(action);
}
