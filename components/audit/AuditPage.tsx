import type { AuditEntry, AuditQuery } from "@/server/audit/audit_log.ts";
import { actionText, detailText, nameText } from "./audit_text.ts";
import { ActivityNavigation, LogFilter } from "../activity/ActivityPage.tsx";
import { commandLine, type Named, removedPerson } from "@/shared/audit.ts";
import { PersonLink } from "../people/PersonLink.tsx";
import { Card, Time } from "../page/elements.tsx";
import { logPages, Pager } from "../page/links.tsx";
import { text } from "@/shared/language.ts";
import { longText } from "@/shared/long_text.ts";

/** The form that filters the admin log. */
function AuditFilterForm({ query: { actor, action, target }, actors, isFiltered }: {
  query: AuditQuery;
  /** The people to choose from. */
  actors: Named[];
  /** Whether a filter is set. */
  isFiltered: boolean;
}) {
  return (
    <LogFilter path="/admin/activity/admins" isFiltered={isFiltered}>
      {target !== undefined && <input type="hidden" name="target" value={target} />}
      <div class="field">
        <label for="audit-actor">{text`By`}</label>
        <select id="audit-actor" name="actor">
          <option value="">{text`Everyone`}</option>
          {actors.map(({ id, name }) => (
            <option key={id} value={id} selected={id === actor}>{nameText({ id, name })}</option>
          ))}
        </select>
      </div>
      <div class="field">
        <label for="audit-action">{text`Action`}</label>
        <select id="audit-action" name="action">
          <option value="">{text`All actions`}</option>
          {Object.entries(actionText).map(([known, label]) => (
            <option key={known} value={known} selected={known === action}>{longText(label)}</option>
          ))}
        </select>
      </div>
    </LogFilter>
  );
}

/** The entries of the admin log. */
function AuditTable({ entries }: { entries: AuditEntry[] }) {
  return (
    <table class="table activity-table">
      <thead>
        <tr>
          <th scope="col">{text`Time`}</th>
          <th scope="col">{text`By`}</th>
          <th scope="col">{text`Action`}</th>
          <th scope="col">{text`Target`}</th>
        </tr>
      </thead>
      <tbody>
        {entries.map((entry, index) => (
          <tr key={index}>
            <td>
              <Time at={entry.at} after={entries[index - 1]?.at ?? null} />
            </td>
            <th scope="row">
              {entry.actor.id === commandLine.id || entry.actor.id === removedPerson.id
                ? nameText(entry.actor)
                : <PersonLink {...entry.actor} name={nameText(entry.actor)} />}
            </th>
            <td>
              {longText(actionText[entry.action])}
              <Details details={entry.details} />
            </td>
            <td data-label={entry.target ? text`Target:` : undefined}>
              {entry.target &&
                (isPerson(entry) ? <PersonLink {...entry.target} /> : nameText(entry.target))}
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

function Details({ details }: Pick<AuditEntry, "details">) {
  const told = detailText(details);
  return told ? <span class="soft below" dir="auto">{told}</span> : null;
}

/** Whether the target has a page: no app, channel, link or setting, and no person of an app without pages here. */
function isPerson({ action, details, target }: AuditEntry): boolean {
  return details.app === undefined && target?.id !== removedPerson.id &&
    !/^(alert|api|app|attendance|channel|embed|invite|site_tag|wallboard)_/.test(action);
}

/** The admin log: what admins did, newest first, with a filter. */
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
      <ActivityNavigation path={path} mayManage />
      <Card id="audit" title={text`Admin log`} level={1}>
        <AuditFilterForm query={query} actors={actors} isFiltered={isFiltered} />
        {entries.length > 0 ? <AuditTable entries={entries} /> : (
          <p class="empty">
            {isFiltered ? text`No matching entries.` : text`No admin actions yet.`}
          </p>
        )}
        <Pager {...logPages({ older, newest })} />
        <p class="note">
          {longText(
            "Names are shown as they were at the time. Entries can't be edited or deleted, and ",
            "an action fails if it can't be logged. “A removed person” is someone whose data ",
            "was deleted.",
          )}
        </p>
      </Card>
    </>
  );
}
