import { href } from "../../shared/address.ts";
import { agoText, exactText, type Place } from "../../browser/page/time_text.ts";
import { roleText } from "../../browser/online/online_table_text.ts";
import type { Person } from "../../shared/online.ts";

/** Somebody who is online, as a row of the online table. */
export function OnlineTableRow({ person, position, isViewer, seenAt, now, place, isTabStop }: {
  person: Person;
  /** Among all rows, whether drawn or not; the first is 1. */
  position: number;
  isViewer: boolean;
  /** When the person was last seen, in milliseconds since 1970; `null` for now. */
  seenAt: number | null;
  now: number;
  place: Place;
  /** Whether the Tab key leads here; `undefined` while it leads to every row. */
  isTabStop?: boolean;
}) {
  const { id, kind, name, role, since, connections } = person;
  return (
    <tr data-id={id} aria-rowindex={position + 1}>
      <th scope="row" class="online-table-name">
        <a
          href={href(`/admin/people/${encodeURIComponent(id)}`)}
          title={name}
          tabIndex={isTabStop === false ? -1 : undefined}
        >
          {name}
        </a>
        {isViewer && <span class="soft you">(you)</span>}
      </th>
      <td class={`online-table-role role-${role ?? kind}`}>{roleText(person)}</td>
      <td class="online-table-since">
        <Time at={since} now={now} place={place} />
      </td>
      <td class="online-table-tabs">
        {connections}
        <span class="online-table-unit">{connections === 1 ? " tab" : " tabs"}</span>
      </td>
      <td class="online-table-seen">
        {seenAt === null ? "now" : <Time at={seenAt} now={now} place={place} />}
      </td>
    </tr>
  );
}

function Time({ at, now, place }: { at: number; now: number; place: Place }) {
  return (
    <time dateTime={new Date(at).toISOString()} title={exactText(at, place)}>
      {agoText(at, now, place)}
    </time>
  );
}
