import type { ChannelRow } from "./channel_list.ts";
import type { ListPage } from "./list_page.ts";
import type { Person } from "./online.ts";

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

/** The parameters of an address for a query, without those that are as by default. */
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
