import { STATUS_CODE } from "@std/http/status";
import { page } from "fresh";
import { countText } from "../../../shared/number_text.ts";
import { pathOf } from "../../../shared/address.ts";
import { ActivityPage } from "../../../components/activity/ActivityPage.tsx";
import TimeRange from "../../../islands/TimeRange.tsx";
import { define } from "../../../state.ts";
import { activitiesOf } from "../../../online/activity/activity.ts";
import {
  activityFilter,
  activityQueryString,
  readActivityQuery,
} from "../../../online/activity/activity_query.ts";
import { type PersonSearch, searchPeople } from "../../../online/person_search.ts";

/** The most names in the note above the entries. */
const maxNames = 10;

/** Entries per page. */
const pageLength = 50;

/** The activity log: joins and leaves. */
export const handler = define.handlers({
  async GET(ctx) {
    ctx.state.title = "Activity";
    const { accounts, onlineRecorder, config } = ctx.state;
    const choices = await accounts.list();
    const query = readActivityQuery(ctx.url.searchParams);
    const { who = "" } = query ?? {};
    const search = who ? searchPeople(who, choices) : everyone;
    const problem = query ? problemOf(search) : "Invalid filter.";
    const before = ctx.url.searchParams.get("before") ?? undefined;
    const { entries, next } = query && search.filter
      ? await onlineRecorder.attendance.read({
        ...{ ...activityFilter(query), ...search.filter, before, limit: pageLength },
      })
      : { entries: [], next: null };
    const shown = query ?? { who };
    const address = (more?: Record<string, string>) =>
      `/admin/activity${activityQueryString(shown, more)}`;
    return page({
      query: shown,
      isFiltered: address() !== "/admin/activity",
      choices: choices.map(({ name, email }) => ({ name, email })),
      note: noteOf(who, search),
      problem,
      entries: await activitiesOf(entries, (ids) => accounts.findAll(ids)),
      days: config.activityDays,
      older: next === null ? null : address({ before: next }),
      newest: before === undefined ? null : address(),
      csv: `/admin/activity/activity.csv${activityQueryString(shown)}`,
    }, { status: problem ? STATUS_CODE.BadRequest : STATUS_CODE.OK });
  },
});

export default define.page<typeof handler>(({ data, url }) => (
  <ActivityPage
    path={pathOf(url)}
    timeRange={<TimeRange since={data.query.since} until={data.query.until} />}
    {...data}
  />
));

/** `Ada`, `Ada and Ben`, `Ada, Ben, and 3 others` */
function listText(names: readonly string[]): string {
  return new Intl.ListFormat("en", { type: "conjunction" }).format(names);
}

const everyone: PersonSearch = { filter: {}, accounts: [] };

function problemOf({ filter }: PersonSearch): string {
  return filter ? "" : "Too many matches. Enter a longer name.";
}

/** The accounts that a search found. */
function noteOf(who: string, { filter, accounts }: PersonSearch): string {
  if (!who || !filter) return "";
  if (accounts.length === 0) return `No account matches “${who}”. Showing entries with this ID.`;
  const names = accounts.slice(0, maxNames).map(({ name }) => name);
  const others = accounts.length - names.length;
  return `Showing ${listText(others === 0 ? names : [...names, countText(others, "other")])}.`;
}
