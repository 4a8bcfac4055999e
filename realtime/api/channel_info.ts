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

/** The values asked for, as far as the channel's kind has them; counts of an empty channel are 0. */
export function attributesOf(
  app: AppApi,
  channel: string,
  asked: readonly Attribute[],
): Record<string, unknown> {
  if (asked.length === 0) return {};
  const state: ChannelState = app.channel(channel) ?? { subscriptionCount: 0 };
  const valueOf = (attribute: Attribute): unknown => {
    if (attribute === "subscription_count") return state.subscriptionCount;
    if (attribute === "cache") return app.cached(channel);
    return channelKind(channel) === "presence" ? state.userCount ?? 0 : undefined;
  };
  const entries = asked.map((attribute) => [attribute, valueOf(attribute)]);
  return Object.fromEntries(entries.filter(([, value]) => value !== undefined));
}
