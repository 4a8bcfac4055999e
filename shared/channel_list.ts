import type { ListPage } from "./list_page.ts";
import type { Person } from "./online.ts";

/**
 * The list of channels, as the server draws it and as pages ask for it.
 *
 * @module
 */

/** The kinds of channels by their names; `user` is the channel of one user. */
const channelKinds = ["public", "private", "encrypted", "presence", "user"] as const;

/** One of {@link channelKinds}. */
export type ListedKind = typeof channelKinds[number];

/** What the list can be narrowed to: a kind, or the channels that keep their last event. */
export const kindFilters = [...channelKinds, "cache"] as const;

/** One of {@link kindFilters}. */
export type KindFilter = typeof kindFilters[number];

/** A channel of an app. */
export interface ChannelOfApp {
  appId: string;
  name: string;
}

/** A channel that is occupied. */
export interface ChannelRow extends ChannelOfApp {
  /** The name of the app. */
  app: string;
  kind: ListedKind;
  /** Whether it keeps its last event for new subscribers. */
  isCache: boolean;
  /** Users in it, each once; null for channels without members. */
  users: number | null;
  /** How many of the users are guests; absent when none is. */
  guests?: number;
  /** Connections that are subscribed. */
  subscriptions: number;
}

/** The name of your own app while it is given none. */
export const unnamedApp = "Your app";

/** An app and what it carries. */
export interface AppTotals {
  id: string;
  name: string;
  /** Null for a reader who may see only some of its channels. */
  connections: number | null;
  /** Occupied channels. */
  channels: number;
  /** Users in its presence channels, each once; null: so many, or for such a reader several channels, that they are not compared. */
  users: number | null;
  /** How many of the users are guests; absent when none is. */
  guests?: number;
  subscriptions: number;
}

/** The columns by which the list can be sorted. */
export const channelColumns = ["name", "app", "kind", "users", "subscriptions"] as const;

/** One of {@link channelColumns}. */
export type ChannelColumn = typeof channelColumns[number];

/** Which channels are listed, and in which order. */
export interface ChannelQuery {
  /** A part of the name. */
  search: string;
  /** The id of an app; "" for all. */
  app: string;
  /** "" for all. */
  kind: KindFilter | "";
  sort: { column: ChannelColumn; descending: boolean };
  /** The number of the page; the first is 1. */
  page: number;
}

/** A page of the list. */
export interface ChannelList {
  query: ChannelQuery;
  apps: AppTotals[];
  rows: ChannelRow[];
  /** The channels that match. */
  hits: number;
  /** All channels. */
  total: number;
  /** The number of the page; the first is 1. */
  page: number;
  pages: number;
  /** When the channels were counted, in milliseconds since 1970. */
  at: number;
}

/** The maximum length of a search: the maximum of a channel's name. */
export const maxChannelSearch = 164;

/** The busiest channels come first. */
const defaultSort = { column: "subscriptions", descending: true } as const;

/** Reads the query of an address. What is malformed does not narrow the list. */
export function readChannelQuery(parameters: URLSearchParams): ChannelQuery {
  const kind = parameters.get("kind");
  return {
    search: (parameters.get("q") ?? "").trim().slice(0, maxChannelSearch),
    app: parameters.get("app") ?? "",
    kind: kindFilters.find((known) => known === kind) ?? "",
    // The form has the present order in a field, before the field of the button that was pressed.
    sort: sortOf(parameters.getAll("sort").at(-1) ?? ""),
    page: Math.max(1, Math.trunc(Number(parameters.get("page"))) || 1),
  };
}

/** The query of an address, without what is as by default. */
export function channelQueryText({ search, app, kind, sort, page }: ChannelQuery): string {
  const isDefault = sort.column === defaultSort.column &&
    sort.descending === defaultSort.descending;
  const parameters: [string, string][] = [
    ["q", search],
    ["app", app],
    ["kind", kind],
    ["sort", isDefault ? "" : channelSortName(sort)],
    ["page", page > 1 ? String(page) : ""],
  ];
  return new URLSearchParams(parameters.filter(([, value]) => value !== "")).toString();
}

/** An order as an address has it: a column, with `-` before it when descending. */
export function channelSortName({ column, descending }: ChannelQuery["sort"]): string {
  return descending ? `-${column}` : column;
}

function sortOf(text: string): ChannelQuery["sort"] {
  const descending = text.startsWith("-");
  const column = channelColumns.find((known) => known === (descending ? text.slice(1) : text));
  return column ? { column, descending } : defaultSort;
}

/** The order after a click on the head of a column: numbers begin with the largest. */
export function channelSortAfter(
  before: ChannelQuery["sort"],
  column: ChannelColumn,
): ChannelQuery["sort"] {
  if (before.column === column) return { column, descending: !before.descending };
  return { column, descending: column === "users" || column === "subscriptions" };
}

/** The path of the list. */
export function channelListPath(query: ChannelQuery): string {
  const text = channelQueryText(query);
  return text === "" ? "/admin/channels" : `/admin/channels?${text}`;
}

/** The path of a channel's page. */
export function channelPath(
  { appId, name }: ChannelOfApp,
  more: Record<string, string> = {},
): string {
  return `/admin/channels/channel?${new URLSearchParams({ app: appId, name, ...more })}`;
}

/** A member of a presence channel, as admins see it. Times are in milliseconds since 1970. */
export interface ChannelMember
  extends Pick<Person, "id" | "name" | "detail" | "url" | "since" | "connections"> {
  /** Whether Rollcall has a page about the person. */
  isPerson: boolean;
}

/** A page of the members who match a search, who came first at first. */
export interface MemberList extends ListPage<ChannelMember> {
  /** Words that their names, second lines or ids have; "" for all. */
  search: string;
  /** The members who match. */
  hits: number;
  /** All members. */
  total: number;
}

/** The maximum length of a search for members. */
export const maxMemberSearch = 100;

/** Which members a page shows. */
export interface MemberQuery {
  search: string;
  /** The number of the page; the first is 1. */
  page: number;
}

/** Reads the query of an address; the nearest page that exists is shown. */
export function readMemberQuery(parameters: URLSearchParams): MemberQuery {
  return {
    search: (parameters.get("q") ?? "").trim().slice(0, maxMemberSearch),
    page: Number(parameters.get("page")),
  };
}

/** The parameters of an address for a query, without the defaults. */
export function memberParameters({ search, page }: MemberQuery): Record<string, string> {
  return { ...search !== "" && { q: search }, ...page > 1 && { page: String(page) } };
}

/** A channel as it is now, as its page asks for it. */
export interface ChannelStatus extends ChannelRow {
  isOccupied: boolean;
  /** Null for channels without members. */
  members: MemberList | null;
  /** The time of the answer, in milliseconds since 1970. */
  at: number;
}
