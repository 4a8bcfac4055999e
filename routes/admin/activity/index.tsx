import { STATUS_CODE } from "@std/http/status";
import { HttpError, page } from "fresh";
import { pathOf } from "@/shared/address.ts";
import { ActivityPage } from "@/components/activity/ActivityPage.tsx";
import TimeRange from "@/islands/TimeRange.tsx";
import { define, type State } from "@/http/state.ts";
import { activitiesOf } from "@/server/activity/activity.ts";
import {
  activityFilter,
  activityQueryString,
  matchPeople,
  type PeopleMatch,
  readActivityQuery,
} from "@/server/activity/activity_query.ts";
import { reader, text } from "@/shared/language.ts";
import { countText } from "@/shared/text.ts";
import { may, maySee } from "@/shared/permissions.ts";
import type { User } from "@/server/accounts/accounts.ts";
import {
  countedNames,
  hasOtherApps,
  notCountedText,
  visibleActivity,
  visibleCounted,
} from "@/http/counted_view.ts";

/** How many of the matching accounts the page names. */
const maxNames = 10;

/** Entries of a page. */
const pageLength = 50;

/** The activity log: who joined and left, when, and why. */
export const handler = define.handlers({
  async GET(ctx) {
    ctx.state.title = text`Activity`;
    const { accounts, apps, onlineRecorder, config } = ctx.state;
    const choices = await namedInFilter(ctx.state);
    const query = readActivityQuery(ctx.url.searchParams);
    const { who = "" } = query ?? {};
    const { activity } = onlineRecorder;
    const visible = visibleActivity(ctx.state);
    requireVisible(visible, query?.channel);
    const idsNamed = (name: string, limit: number) => activity.idsNamed(name, limit, visible);
    const search = who
      ? await matchPeople(who, choices, idsNamed, hasOtherApps(ctx.state))
      : allPeople;
    const problem = query ? problemOf(search) : text`Invalid filter.`;
    const before = ctx.url.searchParams.get("before") ?? undefined;
    const { entries, next } = query && search.filter
      ? await activity.read({
        ...activityFilter(query),
        ...search.filter,
        channels: visible,
        before,
        limit: pageLength,
      })
      : { entries: [], next: null };
    const pageQuery = query ?? { who };
    const address = (more?: Record<string, string>) =>
      `/admin/activity${activityQueryString(pageQuery, more)}`;
    return page({
      query: pageQuery,
      isFiltered: address() !== "/admin/activity",
      choices: choices.map(({ name, email }) => ({ name, email })),
      source: apps.ownNameAmongSeveral,
      note: noteOf(who, search),
      problem,
      entries: await activitiesOf(entries, (ids) => accounts.findAll(ids)),
      channels: countedNames(ctx.state),
      channelOf: entries.map(({ channel }) => channel),
      mayManage: may(ctx.state.session?.user.role, "manage"),
      days: config.activityDays,
      older: next === null ? null : address({ before: next }),
      newest: before === undefined ? null : address(),
      csv: `/admin/activity/activity.csv${activityQueryString(pageQuery)}`,
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

/** @throws {HttpError} 404 for a channel that the reader may not see, and for a reader who may see none. */
function requireVisible(visible: readonly string[] | undefined, channel = visible?.at(0)): void {
  if (!visible || channel !== undefined && visible.includes(channel)) return;
  throw new HttpError(404, notCountedText());
}

/** The accounts that the filter offers and names: those who were in a channel that the reader may see. */
async function namedInFilter(state: State): Promise<User[]> {
  const { accounts, onlineRecorder: { activity }, served: { own }, session } = state;
  const all = await accounts.list();
  if (session && maySee(session.user, { appId: own.id, channel: null })) return all;
  const ids = all.map(({ id }) => id);
  const seen = new Set<string>();
  for (const { key } of visibleCounted(state).filter(({ isOwn }) => isOwn)) {
    for (const id of (await activity.lastSeen(key, ids)).keys()) seen.add(id);
  }
  return all.filter(({ id }) => seen.has(id));
}

const allPeople: PeopleMatch = { filter: {}, accounts: [], hasNamed: false };

function problemOf({ filter }: PeopleMatch): string {
  return filter ? "" : text`Too many matches. Enter a longer name.`;
}

/** Whose entries the page shows, where the typed text does not state it. */
function noteOf(who: string, { filter, accounts, hasNamed }: PeopleMatch): string {
  if (!who || !filter || hasNamed) return "";
  if (accounts.length === 0) {
    return text`No account matches “${who}”. Showing entries with this ID.`;
  }
  const names = accounts.slice(0, maxNames).map(({ name }) => name);
  const more = accounts.length - names.length;
  if (more > 0) names.push(countText(more, "other"));
  return text`Showing ${new Intl.ListFormat(reader.language?.tag ?? "en").format(names)}.`;
}
