import { STATUS_CODE } from "@std/http/status";
import { page } from "fresh";
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
import { matchPeople, type PeopleMatch } from "../../../online/activity/person_filter.ts";

/** Names that are told of all that were found. */
const mostNames = 10;

/** Entries of one page. */
const pageLength = 50;

/** The attendance log: who came and went, when, and why. */
export const handler = define.handlers({
  async GET(ctx) {
    ctx.state.title = "Attendance";
    const { accounts, onlineRecorder, config } = ctx.state;
    const choices = await accounts.list();
    const query = readActivityQuery(ctx.url.searchParams);
    const { who = "" } = query ?? {};
    const search = who ? matchPeople(who, choices) : everybody;
    const problem = query ? problemOf(search) : "That is not something to filter by.";
    const before = ctx.url.searchParams.get("before") ?? undefined;
    const { entries, next } = query && search.filter
      ? await onlineRecorder.activity.read({
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

const everybody: PeopleMatch = { filter: {}, accounts: [] };

function problemOf({ filter }: PeopleMatch): string {
  return filter ? "" : "Too many users match that name. Type more of it.";
}

/** Whom a search found, unless that is what was typed. */
function noteOf(who: string, { filter, accounts }: PeopleMatch): string {
  if (!who || !filter) return "";
  if (accounts.length === 0) return `No account matches “${who}”: it is taken as an id.`;
  const names = accounts.slice(0, mostNames).map(({ name }) => name);
  const more = accounts.length - names.length;
  return `Entries of ${names.join(", ")}${more > 0 ? ` and ${more} more` : ""}.`;
}
