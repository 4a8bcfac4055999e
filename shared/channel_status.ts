import type { ChannelRow } from "./channel_list.ts";
import type { ListPage } from "./list_page.ts";
import type { Person } from "./online.ts";

/** A member of a presence channel, as admins see it. Times are in milliseconds since 1970. */
export interface ChannelMember
  extends Pick<Person, "id" | "name" | "detail" | "url" | "since" | "connections"> {
  /** Whether Rollcall has a page about the person. */
  isPerson: boolean;
}

/** A page of the members, who came first at first. */
export interface MemberList extends ListPage<ChannelMember> {
  total: number;
}

/** A channel as it is now, as its page asks for it. */
export interface ChannelStatus extends ChannelRow {
  isOccupied: boolean;
  /** Null for channels without members. */
  members: MemberList | null;
  /** The time of the answer, in milliseconds since 1970. */
  at: number;
}
