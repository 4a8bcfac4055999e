import { z } from "zod";
import { attributesOf, infoOf } from "./channel_info.ts";
import { badRequest, reservedText } from "./refusal.ts";
import { isReserved } from "../app_config.ts";
import type { AppApi } from "./app_api.ts";
import { channelKind, channelNameRule, isChannelName } from "../protocol/channel_names.ts";
import { readValue } from "../protocol/incoming.ts";

type Query = Record<string, string>;

const listQuery = z.object({
  filter_by_prefix: z.string().max(164).default(""),
  info: infoOf(["user_count", "subscription_count"]),
}).refine(
  ({ filter_by_prefix: prefix, info }) =>
    !info.includes("user_count") || channelKind(prefix) === "presence",
  "user_count needs a filter_by_prefix that begins with presence-",
);

const channelQuery = z.object({ info: infoOf(["user_count", "subscription_count", "cache"]) });

/**
 * `GET channels`: the occupied channels, each with the values asked for. Users' own channels
 * (`#server-to-user-ID`) are left out.
 *
 * @throws {ApiRefusal} 400 for a malformed query.
 */
export function listChannels(app: AppApi, query: Query): unknown {
  const { filter_by_prefix: prefix, info } = parseQuery(query, listQuery);
  const names = [...app.channels()].filter((name) =>
    name.startsWith(prefix) && isChannelName(name)
  );
  const entries = names.map((name) => [name, attributesOf(app, name, info)]);
  return { channels: Object.fromEntries(entries) };
}

/**
 * `GET channels/NAME`: whether the channel is occupied, and the values asked for.
 *
 * @throws {ApiRefusal} 400 for a malformed name, or a value that such a channel does not have.
 */
export function showChannel(app: AppApi, name: string, query: Query): unknown {
  checkName(app, name);
  const { info } = parseQuery(query, channelQuery);
  if (info.includes("user_count") && channelKind(name) !== "presence") {
    throw badRequest(`${name} is not a presence channel and has no user_count`);
  }
  return { occupied: app.channel(name) !== undefined, ...attributesOf(app, name, info) };
}

/**
 * `GET channels/NAME/users`: the users in a presence channel.
 *
 * @throws {ApiRefusal} 400 for any other channel.
 */
export function listUsers(app: AppApi, name: string): unknown {
  checkName(app, name);
  if (channelKind(name) !== "presence") {
    throw badRequest(`${name} is not a presence channel and has no users`);
  }
  return { users: app.users(name).map((id) => ({ id })) };
}

function checkName({ settings }: AppApi, name: string): void {
  if (!isChannelName(name)) throw badRequest(channelNameRule);
  if (isReserved(settings, name)) throw badRequest(reservedText(name));
}

function parseQuery<S extends z.ZodType>(query: Query, schema: S): z.infer<S> {
  const read = readValue(query, schema, "query");
  if (!read.ok) throw badRequest(read.fault);
  return read.value;
}
