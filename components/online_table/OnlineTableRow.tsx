import { type ComponentChildren, createContext } from "preact";
import { useContext } from "preact/hooks";
import { href, personPath } from "@/shared/address.ts";
import { numberText } from "@/shared/number_text.ts";
import { agoText, durationText, type TimeStyle, timeText } from "../page/time_text.ts";
import { Initials } from "../people/Initials.tsx";
import { roleText, runningText } from "./online_table_text.ts";
import { pageText } from "./page_text.ts";
import type { Person } from "@/shared/online.ts";
import type { CurrentPage } from "@/shared/pages.ts";

/**
 * The second by the server's clock, in milliseconds since 1970. A context, so that each second renders
 * the lengths of time only, and not the rows.
 */
export const RowClock = createContext(0);

/** A person who is online, as a row of the online table. */
export function OnlineTableRow({ person, position, isViewer, seenAt, now, style, isTabStop }: {
  person: Person;
  /** The number of the row among all rows, rendered or not; the first is 1. */
  position: number;
  isViewer: boolean;
  /** When a connection of the person was last heard from, in milliseconds since 1970; `null` for now. */
  seenAt: number | null;
  now: number;
  style: TimeStyle;
  /** Whether the link is in the tab order; `undefined` while all links are. */
  isTabStop?: boolean;
}) {
  const { id, kind, name, detail, role, since, connections, isElsewhere, page } = person;
  return (
    <tr data-id={id} aria-rowindex={position + 1}>
      <th scope="row" class="online-table-name">
        <Initials id={id} name={name} />
        <span class="online-table-who">
          <a
            dir="auto"
            href={isElsewhere ? undefined : href(personPath(id))}
            title={detail ? `${name}, ${detail}` : name}
            tabIndex={isTabStop === false ? -1 : isElsewhere ? 0 : undefined}
          >
            {name}
          </a>
          {isViewer && <span class="soft you">(you)</span>}
        </span>
        {detail && <span class="soft online-table-line" dir="auto">{detail}</span>}
      </th>
      <td class={`online-table-role role-${role ?? kind}`}>{roleText(person)}</td>
      <td class="online-table-since">
        <ExactTime at={since} style={style}>
          <OnlineFor since={since} />
        </ExactTime>
      </td>
      <td class="online-table-tabs">
        {connections === 0 ? <span class="soft">leaving</span> : (
          <>
            {numberText(connections)}
            <span class="online-table-unit">{connections === 1 ? " tab" : " tabs"}</span>
          </>
        )}
      </td>
      <td class="online-table-seen">
        <span class="online-table-active">
          {seenAt === null
            ? "now"
            : <ExactTime at={seenAt} style={style}>{agoText(seenAt, now, style)}</ExactTime>}
        </span>
        {page && <CurrentPageLine page={page} />}
      </td>
    </tr>
  );
}

/** How long a person has been online; screen readers get whole minutes, hours and days. */
function OnlineFor({ since }: { since: number }) {
  const length = Math.max(0, useContext(RowClock) - since);
  return (
    <>
      <span aria-hidden="true">{runningText(length)}</span>
      <span class="visually-hidden">{durationText(length)}</span>
    </>
  );
}

function CurrentPageLine({ page }: { page: CurrentPage }) {
  const text = pageText(page);
  return (
    <span class="soft online-table-line online-table-page" title={text}>
      <span class="visually-hidden">Page:</span>
      <bdi dir="ltr">{text}</bdi>
    </span>
  );
}

/** An age with the exact time as its tooltip. */
function ExactTime({ at, style, children }: {
  at: number;
  style: TimeStyle;
  children: ComponentChildren;
}) {
  return (
    <time dateTime={new Date(at).toISOString()} title={timeText(at, "exact", style)}>
      {children}
    </time>
  );
}
