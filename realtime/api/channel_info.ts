import { z } from "zod";
import { channelKind } from "../protocol/channel_names.ts";
import type { AppApi, ChannelState } from "./app_api.ts";

/** A value that a caller can ask for with `info`. */
export type Attribute = "user_count" | "subscription_count" | "cache";

/** Reads `info`: names separated by commas, each one of those allowed here. */
export function infoOf(allowed: readonly Attribute[]) {
  const names = z.array(z.enum(allowed, `only ${allowed.join(" and ")} can be asked for`));
  return z.string().max(200).nullish()
    .transform((text) => (text ?? "").split(",").map((name) => name.trim()).filter(Boolean))
    .pipe(names);
}

/**
 * The values asked for of each channel, as far as its kind has them; counts of an empty channel are 0.
 *
 * @throws {Unavailable} while the other servers cannot be asked.
 */
export async function attributesOf(
  app: AppApi,
  channels: readonly string[],
  asked: readonly Attribute[],
): Promise<Record<string, unknown>[]> {
  if (asked.length === 0) return channels.map(() => ({}));
  const isCounted = asked.some((attribute) => attribute !== "cache");
  const states = isCounted ? await app.states(channels) : [];
  return await Promise.all(channels.map((channel, index) => {
    return valuesOf(app, channel, states[index], asked);
  }));
}

/**
 * The values asked for of a channel, see {@link attributesOf}.
 *
 * @param state undefined: the channel is empty.
 */
export async function valuesOf(
  app: AppApi,
  channel: string,
  state: ChannelState = { subscriptionCount: 0 },
  asked: readonly Attribute[],
): Promise<Record<string, unknown>> {
  const valueOf = (attribute: Attribute): unknown => {
    if (attribute === "subscription_count") return state.subscriptionCount;
    if (attribute === "cache") return app.cached(channel);
    return channelKind(channel) === "presence" ? state.userCount ?? 0 : undefined;
  };
  const values = await Promise.all(asked.map(valueOf));
  const entries = asked.map((attribute, index) => [attribute, values[index]]);
  return Object.fromEntries(entries.filter(([, value]) => value !== undefined));
}
