import { z } from "zod";
import type { AppApi, ChannelState } from "./app_api.ts";
import { channelKind } from "../protocol/protocol.ts";

/** What a caller can ask of a channel. */
export type Attribute = "user_count" | "subscription_count" | "cache";

/** Reads `info`: names with commas between them, of those that can be asked for here. */
export function infoOf(allowed: readonly Attribute[]) {
  const names = z.array(z.enum(allowed, `only ${allowed.join(" and ")} can be asked for`));
  return z.string().max(200).nullish()
    .transform((text) => (text ?? "").split(",").map((name) => name.trim()).filter(Boolean))
    .pipe(names);
}

/** What was asked of a channel, as far as its kind has it. Nobody's channel has counts of 0. */
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
