import {
  type OnlineTableColumn,
  onlineTableColumns,
  type OnlineTableSort,
  sortAfter,
  sortName,
} from "@/shared/online_table.ts";
import { type ComponentChildren, createContext } from "preact";
import { useContext } from "preact/hooks";
import { href, personPath } from "@/shared/address.ts";
import { numberText } from "@/shared/text.ts";
import { durationText, type TimeStyle, timeText } from "../page/time_text.ts";
import { colorOf, initialsOf } from "../page/initials.ts";
import { roleText, runningText } from "../live_view/snapshot.ts";
import { activityText, pageText } from "./page_text.ts";
import { presentActivity } from "../live_view/people.ts";
import type { Person } from "@/shared/online.ts";
import type { CurrentPage } from "@/shared/list_page.ts";
import { useMemo } from "react";
import { useRowScrolling } from "./row_scrolling.ts";
import type { WantedRows } from "./row_window.ts";
import { plural, text } from "@/shared/language.ts";
import { longText } from "@/shared/long_text.ts";

/**
 * The head of the online table, with a button in each column that sorts by it. Without script the
 * buttons send the search form.
 */
function OnlineTableHead({ sort, formId, onSort }: {
  sort: OnlineTableSort;
  /** The form that the buttons belong to. */
  formId: string;
  onSort: (column: OnlineTableColumn) => void;
}) {
  return (
    <thead>
      <tr class="soft" aria-rowindex={1} data-label={text`Sort by`}>
        {onlineTableColumns.map(({ column, label }) => (
          <th
            key={column}
            scope="col"
            class={`online-table-${column}`}
            aria-sort={column === sort.column ? directionOf(sort) : undefined}
          >
            <button
              type="submit"
              form={formId}
              name="sort"
              value={sortName(sortAfter(sort, column))}
              onClick={(event) => {
                event.preventDefault();
                onSort(column);
              }}
            >
              {longText(label)}
            </button>
          </th>
        ))}
      </tr>
    </thead>
  );
}

function directionOf({ descending }: OnlineTableSort): "ascending" | "descending" {
  return descending ? "descending" : "ascending";
}

/**
 * The second by the server's clock, in milliseconds since 1970. A context, so that each second renders
 * the lengths of time only, and not the rows.
 */
export const RowClock = createContext(0);

/** The initials of a person in a disc, in one of a few colours that stays the person's own. */
function Initials({ id, name }: { id: string; name: string }) {
  const initials = initialsOf(name);
  return <span class={`initials initials-${colorOf(id)}`} aria-hidden="true">{initials}</span>;
}

/** A person who is online, as a row of the online table. */
function OnlineTableRow({ person, position, isViewer, now, style, isTabStop, addressOf }: {
  person: Person;
  /** The number of the row among all rows, rendered or not; the first is 1. */
  position: number;
  isViewer: boolean;
  now: number;
  style: TimeStyle;
  /** Whether the link is in the tab order; `undefined` while all links are. */
  isTabStop?: boolean;
  addressOf?: AddressOf;
}) {
  const { id, kind, name, detail, role, since, connections, isElsewhere, page } = person;
  const activity = presentActivity(person);
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
          {isViewer && <span class="soft you">{text`(you)`}</span>}
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
        {connections === 0 ? <span class="soft">{text`leaving`}</span> : (
          <>
            {numberText(connections)}
            <span class="narrow-unit">{` ${plural(connections, "tab")}`}</span>
          </>
        )}
      </td>
      <td class="online-table-activity">
        <span class="activity-state" data-state={activity?.state}>
          {activityText(activity, now)}
        </span>
        {page && <CurrentPageLine page={page} addressOf={addressOf} />}
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

/** The address of the list with the people on a page; absent where it cannot be filtered so. */
type AddressOf = (path: string) => string;

function CurrentPageLine({ page, addressOf }: { page: CurrentPage; addressOf?: AddressOf }) {
  const shown = pageText(page);
  return (
    <span class="soft online-table-line online-table-page" title={shown}>
      <span class="visually-hidden">{text`Page:`}</span>
      <a
        dir="ltr"
        href={addressOf && href(addressOf(page.path))}
        data-page={addressOf && page.path}
        aria-current="false"
        tabIndex={-1}
      >
        {shown}
      </a>
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

/** The online table in a box that scrolls. Only the visible rows are rendered. */
export function OnlineTableRows({ people, before, total, sort, order, formId, onSort, ...shown }: {
  /** The listed people, in order; replaced whenever that changes. */
  people: readonly Person[];
  /** The number of rows before them, on pages that are not in the HTML. */
  before: number;
  /** The number of all rows. */
  total: number;
  sort: OnlineTableSort;
  /** A change of it scrolls to the beginning. */
  order: string;
  formId: string;
  onSort: (column: OnlineTableColumn) => void;
  viewerId: string;
  now: number;
  style: TimeStyle;
  /** Is told which rows are missing where `people` has empty places. */
  onView?: (wanted: () => WantedRows) => void;
  addressOf?: AddressOf;
}) {
  const ids = useMemo(() => people.map(({ id }) => id), [people]);
  const { box, handlers, rendered, tabStop } = useRowScrolling(ids, order, shown.onView);
  const { viewerId, now, style, addressOf } = shown;
  return (
    <div class="online-table-box" ref={box} tabIndex={-1} {...handlers}>
      <table
        class="table fixed online-table"
        aria-labelledby="online-table-title"
        aria-rowcount={total + 1}
      >
        <OnlineTableHead sort={sort} formId={formId} onSort={onSort} />
        <tbody>
          {rendered.map((item, index) => {
            if ("gap" in item) return <Gap key={`gap-${index}`} height={item.gap} />;
            const person = people[item.row];
            return (
              <OnlineTableRow
                key={`person-${person.id}`}
                person={person}
                position={before + item.row + 1}
                isViewer={person.id === viewerId}
                now={now}
                style={style}
                addressOf={addressOf}
                isTabStop={tabStop === null ? undefined : tabStop === person.id}
              />
            );
          })}
        </tbody>
      </table>
    </div>
  );
}

/** The room of rows that are not rendered. */
function Gap({ height }: { height: number }) {
  return (
    <tr class="online-table-gap" aria-hidden="true">
      <td colSpan={onlineTableColumns.length} style={{ height: `${height}px` }} />
    </tr>
  );
}
