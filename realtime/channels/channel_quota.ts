import { AddressQuota } from "../connections/address_quota.ts";
import type { LimitName } from "../connections/refusals.ts";
import type { Limits } from "../limits.ts";
import { isOpenToAll } from "../protocol/channel_names.ts";
import type { Channel } from "./channel.ts";

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
  opened({ name, openedFrom }: Pick<Channel, "name" | "openedFrom">): void {
    this.#all.add(undefined);
    if (isOpenToAll(name)) this.#public.add(openedFrom);
  }

  /** Counts a channel that closed. */
  closed({ name, openedFrom }: Pick<Channel, "name" | "openedFrom">): void {
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
