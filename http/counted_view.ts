import { HttpError } from "fresh";
import type { CountedChannel } from "@/server/live_view/counted_channel.ts";
import type { State } from "./state.ts";
import { type CountedName, onlineKey } from "@/shared/counted.ts";
import type { ClientSettings } from "@/shared/client_settings.ts";
import type { Viewer } from "@/components/page/Shell.tsx";
import { onlineChannel } from "@/server/presence/channels.ts";
import { clientSettings, usesExternalServer } from "@/server/config/client_options.ts";
import { limitsOf, may, maySee } from "@/shared/permissions.ts";
import { currentFreshness } from "@/server/presence/servers.ts";
import type { Freshness } from "@/shared/recovery.ts";
import { type Config, servesHttps } from "@/server/config/config.ts";
import { sessionOf } from "./request.ts";
import { readCookie, writeCookie } from "./session_cookies.ts";
import { z } from "zod";
import { text } from "@/shared/language.ts";
import { ConcurrencyLimit } from "@/server/net/window_limits.ts";
import { maxUserIdLength } from "@/realtime/protocol/member.ts";
import { maxAnchors, maxRows } from "@/shared/large_channel.ts";
import { filterOf, maxSearchLength, sortOf } from "@/shared/online_table.ts";

/**
 * The counted channel with a key; without one, the channel of the users online.
 *
 * @throws {HttpError} 404 when no such channel is counted.
 */
export function countedChannel(
  { counted }: Pick<State, "counted">,
  key: unknown,
): CountedChannel {
  const channel = counted.find((one) => one.key === (key ?? onlineKey));
  if (!channel) throw new HttpError(404, notCountedText());
  return channel;
}

/** What is answered for a channel that is not counted, or that the reader may not see. */
export function notCountedText(): string {
  return text`This channel isn't counted.`;
}

/** The counted channels that the reader of a request may see. */
export function visibleCounted({ counted, session }: State): CountedChannel[] {
  if (session === null || !may(session.user.role, "view")) return [];
  if (limitsOf(session.user) === null) return [...counted];
  return counted.filter((channel) => maySee(session.user, channel));
}

/** The reader, as the frame of every page shows it; null for who is signed out. */
export function viewerOf(state: State): Viewer | null {
  const { session } = state;
  if (!session) return null;
  const { name, role } = session.user;
  return { name, role, mayFollow: visibleCounted(state).length > 0 };
}

/**
 * The counted channel that the query of an address names as `channel`; without one, the first that the reader may see.
 *
 * @throws {HttpError} 404 when there is none, or the reader may not see it.
 */
export function channelOfQuery(state: State, { searchParams }: URL): CountedChannel {
  const visible = visibleCounted(state);
  return countedChannel({ counted: visible }, searchParams.get("channel") ?? visible.at(0)?.key);
}

/**
 * What the reader of a request may see of the activity log, by its channels; undefined: all of it, also of channels
 * that are not counted any more.
 */
export function visibleActivity(state: State): readonly string[] | undefined {
  const { user } = sessionOf(state);
  return limitsOf(user) === null ? undefined : visibleCounted(state).map(({ key }) => key);
}

/**
 * Whether the reader may see the channel of the users online, as what concerns all of them needs.
 *
 * @throws {HttpError} 403 when not.
 */
export function requireOnlineChannel(state: State): void {
  if (visibleCounted(state).some(({ key }) => key === onlineKey)) return;
  throw new HttpError(403, text`Your account is limited to other channels.`);
}

/** How pages write the counted channels that the reader may see, where there are several; undefined for one. */
export function countedNames(state: State): CountedName[] | undefined {
  const { apps } = state;
  const counted = visibleCounted(state);
  if (counted.length <= 1) return undefined;
  return counted.map(({ key, channel, appId, isOwn }) => ({
    key,
    channel,
    ...!isOwn && { app: apps.find(appId)?.name ?? appId },
  }));
}

/** What islands need to follow a counted channel; nothing for the channel of the users online. */
export function channelSettings(
  { key, pagesChannel }: CountedChannel,
): Pick<ClientSettings, "channelQuery" | "pagesChannel"> {
  if (key === onlineKey) return {};
  return {
    channelQuery: new URLSearchParams({ channel: key }).toString(),
    pagesChannel: pagesChannel.replace(/^private-/, ""),
  };
}

/** Whether the reader may see counted channels of apps other than Rollcall's own. */
export function hasOtherApps(state: State): boolean {
  return visibleCounted(state).some(({ isOwn }) => !isOwn);
}

/** The properties of an island that shows the live number. */
interface LiveCount {
  settings: ClientSettings;
  /** Users online; null with an external Pusher server, whose member list is not known. */
  initialCount: number | null;
  /** How many of them are guests. */
  initialGuests: number;
  /** The time of that number, as ISO 8601. */
  asOf: string;
  freshness: Freshness;
}

/** The live number for the visitor of a page. */
export function liveCount(state: State, page: URL): LiveCount {
  const { config, pusherApp, servers } = state;
  return {
    settings: clientSettings(config.pusher, pusherApp.key, page, servesHttps(config)),
    ...usersOnline(state),
    asOf: new Date().toISOString(),
    freshness: currentFreshness(state.counted[0].recovery, servers),
  };
}

/**
 * How many users are online, the visitor included. The page is about to join, so without this the number
 * would jump by one right after the page is drawn. An observer does not join.
 */
function usersOnline(
  { config, isObserver, ownApp, visitor }: State,
): { initialCount: number | null; initialGuests: number } {
  if (usesExternalServer(config.pusher)) return { initialCount: null, initialGuests: 0 };
  const { users, guests = 0 } = ownApp.presence.counts(onlineChannel);
  const joins = visitor !== null && !isObserver &&
    !ownApp.presence.isMember(onlineChannel, visitor.id);
  return {
    initialCount: users + Number(joins),
    initialGuests: guests + Number(joins && visitor.kind === "guest"),
  };
}

/** The cookie of a browser, and its value in one in which an admin is not counted. */
const [cookie, leftOut] = ["counted", "no"];

/**
 * Whether the visitor of a request is an admin who is not counted in this browser: one who asked for it, or,
 * once an app has had a user, one who did not ask to be counted. An external Pusher server counts everyone.
 */
export function isObserver(
  { config, firstAppUser, visitor }: State,
  headers: Headers,
): boolean {
  if (!may(visitor?.role, "view") || usesExternalServer(config.pusher)) return false;
  const isCounted = chosenCounted(headers, config) ?? !firstAppUser.hasCome;
  return !isCounted;
}

/** Whether the admin asked in this browser to be counted, or not to be; undefined for neither. */
export function chosenCounted(headers: Headers, config: Config): boolean | undefined {
  const choice = readCookie(headers, config, cookie);
  return choice === undefined ? undefined : choice !== leftOut;
}

/** Remembers for a year whether admins are counted in this browser. */
export function rememberCounted(headers: Headers, config: Config, isCounted: boolean): void {
  writeCookie(headers, config, cookie, isCounted ? "yes" : leftOut);
}

/** A row that stays where it is: its number, a colon, and the id of its person. */
const anchorSchema = z.string().regex(/^\d{1,9}:./s).max(10 + maxUserIdLength)
  .transform((anchor) => {
    const [row] = anchor.split(":");
    return { row: Number(row), id: anchor.slice(row.length + 1) };
  });

const number = z.string().regex(/^\d{1,9}$/).transform(Number);

const requestSchema = z.object({
  offset: number,
  limit: number.pipe(z.number().min(1).max(maxRows)),
  search: z.string().max(maxSearchLength),
  sort: z.string().transform(sortOf),
  only: z.string().nullable().transform(filterOf),
  anchors: z.array(anchorSchema).max(maxAnchors),
});

/** What {@link readRowsRequest} understands, as a sentence. */
export const rowsRequestText = `offset, limit (1 to ${maxRows}), q (up to ${maxSearchLength} ` +
  `characters), sort, only (active, idle, phone or guests), and up to ${maxAnchors} anchors like 7:ID are understood.`;

/** The rows of the online table that an address asks for; null when it is malformed. */
export function readRowsRequest(
  { searchParams }: Pick<URL, "searchParams">,
): z.infer<typeof requestSchema> | null {
  const result = requestSchema.safeParse({
    offset: searchParams.get("offset"),
    limit: searchParams.get("limit"),
    search: searchParams.get("q") ?? "",
    sort: searchParams.get("sort") ?? "",
    // The name by which pages of the release before ask.
    only: searchParams.get("only") ?? searchParams.get("activity"),
    anchors: searchParams.getAll("anchor"),
  });
  return result.success ? result.data : null;
}

/** A page asks again once it has an answer, and an admin has few pages open. */
export const rowsLimit = new ConcurrencyLimit({
  max: 100,
  maxPerClient: 6,
  retryAfterSeconds: 1,
});
