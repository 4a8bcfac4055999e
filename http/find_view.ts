/**
 * The search of everything that a reader may open: people, pages, channels and actions. Its page and its dialog show
 * the same.
 *
 * The promise: a search asks what the pages themselves ask before they open, so that no one learns from it of a
 * person, a channel or a page that they may not open.
 *
 * @module
 */
import { z } from "zod";
import { limitsOf, limitsText, may } from "@/shared/permissions.ts";
import { actions, type AppPage, mayOpen, pages } from "@/components/page/navigation.ts";
import { channelList, statsWithin } from "@/server/channels/listed_channels.ts";
import { channelPath, readChannelQuery } from "@/shared/channel_list.ts";
import { ConcurrencyLimit } from "@/server/net/window_limits.ts";
import { findOnline, findOthers } from "@/server/people/find_people.ts";
import { folded, searchedWords } from "@/shared/folded.ts";
import { type Found, type FoundEntry, type FoundGroup, maxFindLength } from "@/shared/find.ts";
import { onlineKey, onlineViewPath } from "@/shared/counted.ts";
import { searchUsers } from "@/server/accounts/users.ts";
import { sessionOf } from "./request.ts";
import type { State } from "./state.ts";
import { userPath } from "@/shared/address.ts";
import { usesExternalServer } from "@/server/config/client_options.ts";
import { countedNames, viewerOf, visibleActivity, visibleCounted } from "./counted_view.ts";
import { text } from "@/shared/language.ts";
import { longText } from "@/shared/long_text.ts";

/** How many are found of each kind. */
const mostOfKind = 8;

const searchSchema = z.string().trim().max(maxFindLength);

/** The text that an address searches for; null when it is too long. */
export function readFindText({ searchParams }: URL): string | null {
  return searchSchema.safeParse(searchParams.get("q") ?? "").data ?? null;
}

/** A page asks again once it has an answer or gave it up, and a reader has few pages open. */
const findLimit = new ConcurrencyLimit({ max: 100, maxPerClient: 6, retryAfterSeconds: 1 });

/** What is found for a text; for an empty one, the pages and actions. */
export async function find(state: State, sought: string): Promise<Found> {
  const { id } = sessionOf(state).user;
  return await findLimit.run(id, () => findNow(state, sought));
}

async function findNow(state: State, sought: string): Promise<Found> {
  const { user } = sessionOf(state);
  const limits = limitsOf(user);
  const groups: FoundGroup[] = [];
  let isLate = false;
  if (sought !== "") {
    const online = await findOnline(state, visibleCounted(state), sought);
    isLate = online.isLate;
    groups.push({ title: text`Online now`, entries: online.entries });
    const others = await findOthers(state, sought, { limits, visible: visibleActivity(state) });
    groups.push({ title: text`Not online`, entries: others });
  }
  groups.push({ title: text`Pages`, entries: openable(state, pages, sought) });
  if (sought !== "") {
    groups.push({ title: text`Channels`, entries: await findChannels(state, sought) });
    groups.push({ title: text`Team`, entries: await findUsers(state, sought) });
  }
  groups.push({ title: text`Actions`, entries: openable(state, actions, sought) });
  return {
    reader: [user.id, user.role, limitsText(limits)].join(" "),
    groups: groups.filter(({ entries }) => entries.length > 0),
    isLate,
  };
}

/** The pages of a list that the reader may open and that have all words of a text. */
function openable(state: State, list: readonly AppPage[], sought: string): FoundEntry[] {
  const viewer = viewerOf(state);
  if (!viewer) return [];
  const reader = {
    ...viewer,
    mayFollowEveryone: visibleCounted(state).some(({ key }) => key === onlineKey),
    usesExternalServer: usesExternalServer(state.config.pusher),
  };
  const searched = searchedWords(sought);
  return list.filter((page) => {
    const words = folded(`${longText(page.label)} ${page.label} ${page.words ?? ""}`);
    return mayOpen(reader, page) && searched.every((word) => words.includes(word));
  }).map(({ path, label }) => ({ path, title: longText(label) }));
}

/** The live views of the counted channels, where there are several, and the pages of the occupied channels. */
async function findChannels(state: State, sought: string): Promise<FoundEntry[]> {
  const part = sought.toLowerCase();
  const views = (countedNames(state) ?? []).filter(({ channel }) =>
    channel.toLowerCase().includes(part)
  ).map(({ key, channel, app }): FoundEntry => (
    {
      path: onlineViewPath(key),
      title: channel,
      detail: app ? text`Live view · ${app}` : text`Live view`,
    }
  ));
  const limits = limitsOf(sessionOf(state).user);
  const stats = statsWithin(await state.channelStats.read(), limits);
  const { apps, rows } = channelList(stats, readChannelQuery(new URLSearchParams({ q: sought })));
  const channels = rows.slice(0, mostOfKind).map((row): FoundEntry => (
    { path: channelPath(row), title: row.name, ...apps.length > 1 && { detail: row.app } }
  ));
  return [...views.slice(0, mostOfKind), ...channels];
}

/** The accounts that the reader may manage. */
async function findUsers(state: State, sought: string): Promise<FoundEntry[]> {
  if (!may(sessionOf(state).user.role, "manage")) return [];
  const { users } = searchUsers(await state.accounts.list(), { query: sought, page: null });
  return users.slice(0, mostOfKind).map(({ id, name, email }) => (
    { path: userPath(id), title: name, detail: email }
  ));
}
