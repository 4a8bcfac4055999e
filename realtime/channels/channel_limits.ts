import type { AppSettings } from "../app_config.ts";
import type { LimitName } from "../connections/limit_counters.ts";
import type { Member } from "../protocol/member.ts";
import { AddressQuota } from "../connections/connection_limits.ts";
import type { Limits } from "../options.ts";
import { isOpenToAll } from "../protocol/channel_names.ts";
import { byteLength } from "../protocol/outgoing.ts";
import type { Channel } from "./channel.ts";

/** A limit of presence channels. */
export type PresenceLimit = LimitName & ("members" | "fullMembers" | "memberList");

/** A presence channel that is open, as its limits see it. */
interface Limited {
  /** See `PresenceChannel`. */
  hasRoomFor(userId: string, maxMembers: number): boolean;
  hasRoomForFullMember(userId: string, maxFullMembers: number): boolean;
  /** The length of the member list. */
  readonly members: { readonly length: number };
}

/**
 * The limit of an open presence channel that a subscription would exceed, if any. A quiet member is sent no member
 * list; an observer is not a member.
 *
 * @param maxListLength how long the member list may be for full subscribers.
 */
export function exceededPresenceLimit(
  channel: Limited,
  { id, options }: Member,
  isQuiet: boolean,
  settings: Pick<AppSettings, "presenceMaxFullMembers" | "presenceMaxMembers">,
  maxListLength: number,
): PresenceLimit | undefined {
  const { presenceMaxFullMembers, presenceMaxMembers } = settings;
  const isMember = !options?.observe;
  if (isMember && !channel.hasRoomFor(id, presenceMaxMembers)) return "members";
  if (isQuiet) return undefined;
  if (isMember && !channel.hasRoomForFullMember(id, presenceMaxFullMembers)) return "fullMembers";
  return channel.members.length > maxListLength ? "memberList" : undefined;
}

/** Why the `user_info` of a member is too long, if it is: a sentence for its app's developer. @param info JSON text */
export function exceededInfoLimit(
  info: string,
  { presenceMaxInfoBytes: max }: AppSettings,
): string | undefined {
  return byteLength(info) > max ? `user_info is over the limit of ${max} bytes` : undefined;
}

/** How many channels an app may have; see {@link Limits}. */
export type ChannelLimits = Pick<
  Limits,
  "maxChannels" | "maxConnectionsPerAddress" | "maxPublicChannels" | "maxPublicChannelsPerAddress"
>;

/** A limit of channels. */
export type ChannelLimit = LimitName & ("channels" | "publicChannels" | "publicChannelsOfAddress");

/**
 * Counts the channels of an app. A public channel counts for the address that opened it, until the
 * channel closes: anyone can open public channels, and must not leave others without.
 */
export class ChannelQuota {
  readonly #all: AddressQuota;
  readonly #public: AddressQuota;

  constructor(limits: ChannelLimits) {
    const { maxChannels, maxConnectionsPerAddress, maxPublicChannels } = limits;
    const { maxPublicChannelsPerAddress } = limits;
    this.#all = new AddressQuota({ max: maxChannels, maxPerAddress: 0 });
    this.#public = new AddressQuota({
      max: maxPublicChannels,
      maxPerAddress: maxConnectionsPerAddress === 0 ? 0 : maxPublicChannelsPerAddress,
    });
  }

  /** The limit that a new channel would exceed, if one. */
  exceededBy(name: string, address: string | undefined): ChannelLimit | undefined {
    if (this.#all.isFull) return "channels";
    if (!isOpenToAll(name)) return undefined;
    if (this.#public.isFull) return "publicChannels";
    return this.#public.isFullFor(address) ? "publicChannelsOfAddress" : undefined;
  }

  /** Counts a channel that opened. */
  opened({ name, openedFrom }: Channel): void {
    this.#all.add(undefined);
    if (isOpenToAll(name)) this.#public.add(openedFrom);
  }

  /** Counts a channel that closed. */
  closed({ name, openedFrom }: Channel): void {
    this.#all.delete(undefined);
    if (isOpenToAll(name)) this.#public.delete(openedFrom);
  }

  /** The number of entries in memory, by what they are. */
  stats() {
    return {
      publicChannels: this.#public.size,
      /** Remote addresses that opened public channels. */
      publicChannelAddresses: this.#public.addresses,
    };
  }
}

/** How many users there are, and how many of them are guests. */
export interface UserCount {
  readonly size: number;
  readonly guests: number;
}

/** Whether there is room for another user. Guests take no room from users. */
export function hasRoom({ size, guests }: UserCount, isGuest: boolean, max: number): boolean {
  return (isGuest ? size : size - guests) < max;
}

/** The users of a presence channel with a full connection to this node, and users who may return to one. */
export class FullMembers implements UserCount {
  readonly #users = new Set<string>();
  readonly #isGuest: (userId: string) => boolean;
  #guests = 0;

  constructor(isGuest: (userId: string) => boolean) {
    this.#isGuest = isGuest;
  }

  /** The number of users, guests included. */
  get size(): number {
    return this.#users.size;
  }

  /** The number of guests. */
  get guests(): number {
    return this.#guests;
  }

  /** Whether the user is one of them. */
  has(userId: string): boolean {
    return this.#users.has(userId);
  }

  /** Adds a user, if it is not there. */
  add(userId: string): void {
    if (this.#users.has(userId)) return;
    this.#users.add(userId);
    if (this.#isGuest(userId)) this.#guests++;
  }

  /** Removes a user, if it is there. */
  delete(userId: string): void {
    if (this.#users.delete(userId) && this.#isGuest(userId)) this.#guests--;
  }
}
