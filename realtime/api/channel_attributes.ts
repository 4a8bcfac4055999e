import { z } from "zod";
import { channelKind, channelNameRule, isChannelName } from "../protocol/channel_names.ts";
import type { AppApi, ChannelState } from "./app_api.ts";
import { ApiError, badRequest, parseBody, reservedText, tooLarge } from "./api_request.ts";
import { isReserved } from "../app_config.ts";
import { memberUpdate, readValue } from "../protocol/incoming.ts";

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
async function valuesOf(
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
 * @throws {ApiError} 400 for a malformed query.
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
 * @throws {ApiError} 400 for a malformed name, or a value that such a channel does not have.
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

/** Another value is as none, as it was before there was this one. */
const usersQuery = z.object({ with_user_info: z.string().optional() });

/**
 * `GET channels/NAME/users`: the users in a presence channel; with `with_user_info=1`, each with what the other
 * members know of it.
 *
 * @throws {Unavailable} while the other servers cannot be asked.
 * @throws {ApiError} 400 for any other channel.
 */
export async function listUsers(app: AppApi, name: string, query: Query): Promise<unknown> {
  checkPresence(app, name);
  const { with_user_info: isAsked } = parseQuery(query, usersQuery);
  const members = await app.members(name);
  if (isAsked !== "1") return { users: members.map(({ id }) => ({ id })) };
  return { users: members.map(({ id, info }) => ({ id, user_info: JSON.parse(info) })) };
}

/**
 * `POST channels/NAME/users/USER`: changes a member of a presence channel, who neither leaves nor joins by it.
 *
 * @throws {Unavailable} when it may not have been changed.
 * @throws {ApiError} 400 for any other channel or a malformed body, 404 when the user is not in the channel, 413 for
 * `user_info` over the app's limit.
 */
export async function updateUser(
  app: AppApi,
  { name, userId, body }: { name: string; userId: string; body: string },
): Promise<unknown> {
  checkPresence(app, name);
  const { info, options } = parseBody(body, memberUpdate);
  const text = info === undefined ? undefined : JSON.stringify(info);
  const fault = text === undefined ? undefined : app.infoFault(text);
  if (fault !== undefined) throw tooLarge(fault);
  if (await app.updateMember(name, userId, { info: text, options })) return {};
  if (await app.channel(name)) {
    throw new ApiError(404, "unknown_user", `${userId.slice(0, 200)} is not in ${name}`);
  }
  throw new ApiError(404, "unknown_channel", `${name} has no users`);
}

function checkPresence(app: AppApi, name: string): void {
  checkName(app, name);
  if (channelKind(name) === "presence") return;
  throw badRequest(`${name} is not a presence channel and has no users`);
}

function checkName({ settings }: AppApi, name: string): void {
  if (!isChannelName(name)) throw badRequest(channelNameRule);
  if (isReserved(settings, name)) throw badRequest(reservedText(name));
}

function parseQuery<S extends z.ZodType>(query: Query, schema: S): z.infer<S> {
  const result = readValue(query, schema, "query");
  if (!result.ok) throw badRequest(result.fault);
  return result.value;
}
