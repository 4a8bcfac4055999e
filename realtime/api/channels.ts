import { z } from "zod";
import { attributesOf, infoOf, valuesOf } from "./channel_info.ts";
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
 * @throws {Unavailable} while the other servers cannot be asked.
 * @throws {ApiRefusal} 400 for a malformed query.
 */
export async function listChannels(app: AppApi, query: Query): Promise<unknown> {
  const { filter_by_prefix: prefix, info } = parseQuery(query, listQuery);
  const names = (await app.channels()).filter((name) =>
    name.startsWith(prefix) && isChannelName(name)
  );
  const attributes = await attributesOf(app, names, info);
  return { channels: Object.fromEntries(names.map((name, index) => [name, attributes[index]])) };
}

/**
 * `GET channels/NAME`: whether the channel is occupied, and the values asked for.
 *
 * @throws {Unavailable} while the other servers cannot be asked.
 * @throws {ApiRefusal} 400 for a malformed name, or a value that such a channel does not have.
 */
export async function showChannel(app: AppApi, name: string, query: Query): Promise<unknown> {
  checkName(app, name);
  const { info } = parseQuery(query, channelQuery);
  if (info.includes("user_count") && channelKind(name) !== "presence") {
    throw badRequest(`${name} is not a presence channel and has no user_count`);
  }
  // One answer about the size: of two, one could be occupied and the other empty.
  const state = await app.channel(name);
  const attributes = await valuesOf(app, name, state, info);
  return { occupied: state !== undefined, ...attributes };
}

/**
 * `GET channels/NAME/users`: the users in a presence channel.
 *
 * @throws {Unavailable} while the other servers cannot be asked.
 * @throws {ApiRefusal} 400 for any other channel.
 */
export async function listUsers(app: AppApi, name: string): Promise<unknown> {
  checkName(app, name);
  if (channelKind(name) !== "presence") {
    throw badRequest(`${name} is not a presence channel and has no users`);
  }
  return { users: (await app.users(name)).map((id) => ({ id })) };
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
