import { createHash } from "node:crypto";
import { sendEvent } from "@/realtime/api/events.ts";
import type { AppApi } from "@/realtime/api/app_api.ts";
import type { App } from "@/realtime/server.ts";
import { limitsOf, may, maySee, type Reader, type Sight } from "@/shared/permissions.ts";

/** A signed-in user, or a guest where guests are admitted. */
export interface Visitor extends Reader {
  /** Opaque and stable; all members of a presence channel receive it. */
  id: string;
  kind: "user" | "guest";
}

/** A counted channel, as far as it says who may follow it. */
interface Followed extends Sight {
  readonly key: string;
  readonly pagesChannel: string;
}

/** Whether a visitor can join a channel; for presence channels, what other members receive of them. */
type Admission = boolean | MemberInfo;

/** What all members of a presence channel receive of each other. It must not contain names. */
interface MemberInfo {
  id: string;
}

/** What rules are told besides the visitor. */
interface Asked {
  /** The whole name. */
  channel: string;
  /** The part of the name that is in braces. */
  id: string;
  counted: readonly Followed[];
}

type Rule = (visitor: Visitor, asked: Asked) => Admission;

/** Who can join which channel: a rule per line; `{id}` stands for a part of the name without dots. */
const rules: Record<string, Rule> = {
  "presence-chart": (visitor) => ({ id: visitor.id }),
  "private-rollcall.users.{id}": (visitor, { id }) => visitor.id === id,
  "private-rollcall.online": mayFollow,
  "private-rollcall.counted.{id}": mayFollow,
  "private-rollcall.totals.{id}": mayFollowTotals,
  "private-rollcall.inspector.{id}": mayInspect,
};

/** Those who may see everything may follow what another server counts, while the settings of servers differ. */
function seesAll(visitor: Visitor): boolean {
  return may(visitor.role, "view") && limitsOf(visitor) === null;
}

function mayFollow(visitor: Visitor, { channel, counted }: Asked): boolean {
  return seesAll(visitor) ||
    counted.some((one) => one.pagesChannel === channel && maySee(visitor, one));
}

function mayFollowTotals(
  visitor: Visitor,
  { channel, counted }: Asked,
): boolean {
  if (seesAll(visitor)) return true;
  const isShown = shownOnTotals(channel);
  const visible = counted.filter((one) => isShown(one.key) && maySee(visitor, one));
  // A name with anything else in it, or in another order, is none of theirs.
  return visible.length > 0 && channel === totalsChannel(visible);
}

function mayInspect(visitor: Visitor, { id }: Asked): boolean {
  const [app, channel] = id.split("-");
  return seesAll(visitor) ||
    may(visitor.role, "view") &&
      limitsOf(visitor)!.some((limit) =>
        (limit.app === null || digestOf(limit.app) === app) &&
        (limit.channel === null || digestOf(limit.channel) === channel)
      );
}

const patterns = Object.entries(rules).map(([name, rule]) => ({
  pattern: new RegExp(
    "^" + name.replace(/[.*+?^$()|[\]\\]/g, "\\$&").replace(/\{(\w+)\}/g, "(?<$1>[^.]+)") + "$",
  ),
  rule,
}));

/**
 * Decides whether a visitor can join a channel. Channels without a rule are refused.
 *
 * @param counted the counted channels.
 * @returns what other members receive of the visitor (presence channels), `true`, or `false`.
 */
export function admit(
  visitor: Visitor,
  channel: string,
  counted: readonly Followed[],
): Admission {
  for (const { pattern, rule } of patterns) {
    const match = pattern.exec(channel);
    if (match) {
      return rule(visitor, { channel, id: match.groups?.id ?? "", counted });
    }
  }
  return false;
}

/** The presence channel whose members are the users online; Echo's name for it is `chart`. */
export const onlineChannel = "presence-chart";

/** The channel on which admins' pages receive who the members of {@link onlineChannel} are. */
export const adminChannel = "private-rollcall.online";

/** The channel on which admins' pages receive who is in another counted channel. @param key of that */
export function countedPagesChannel(key: string): string {
  return `private-rollcall.counted.${digestOf(key)}`;
}

const totalsPrefix = "private-rollcall.totals.";

/** Of a digest, as much as tells counted channels apart: a name has room for all of them. */
function tagOf(key: string): string {
  return digestOf(key).slice(0, 6);
}

const tagPattern = /.{6}/g;

/**
 * The channel on which pages receive how many users some counted channels have. Who may see them all joins it, and no
 * one else: the name says which they are.
 */
export function totalsChannel(counted: readonly { key: string }[]): string {
  return totalsPrefix + counted.map(({ key }) => tagOf(key)).sort().join("");
}

/** The channel of a visitor's own pages. */
export function visitorChannel(id: string): string {
  return `private-rollcall.users.${id}`;
}

/** Of which counted channels a {@link totalsChannel} has the users, by their keys. */
export function shownOnTotals(channel: string): (key: string) => boolean {
  const tags = new Set(channel.slice(totalsPrefix.length).match(tagPattern));
  return (key) => tags.has(tagOf(key));
}

/** Whether pages receive numbers of users on a channel. */
export function isTotalsChannel(channel: string): boolean {
  return channel.startsWith(totalsPrefix);
}

/**
 * The channel on which admins' pages receive the events of a channel that they inspect. Its name has app and
 * channel separately, so that limits can be compared with either.
 */
export function inspectorChannel(
  { appId, channel }: { appId: string; channel: string },
): string {
  return `private-rollcall.inspector.${digestOf(appId)}-${digestOf(channel)}`;
}

/** Names are too long to be a part of another. */
function digestOf(name: string): string {
  return createHash("sha256").update(name).digest("hex").slice(0, 32);
}

/**
 * With what the names of the channels begin that only Rollcall's own pages may join. An app of the
 * operator that shares the app of the pages can neither sign for them nor send to them.
 */
export const reservedPrefix = "private-rollcall.";

/**
 * Sends an event to a channel, so that Echo's `.listen(name)` receives it with the payload. The name is
 * relative to `App\Events`, with dots between its parts; a name that begins with a dot or a backslash is
 * sent without it, as `.listen` expects.
 *
 * @param channel with its prefix, such as `private-rollcall.users.1`.
 * @param payload any value that JSON can hold.
 * @param options.except the socket id of the page that caused the event, which does not receive it; Echo
 * sends it in the header `X-Socket-ID`.
 * @throws {ApiError} when a name is malformed or the payload too large; then nothing is sent.
 *
 * @example
 * broadcast("private-rollcall.users.1", "MailArrived", { unread: 3 }, { except: headers.get("x-socket-id") });
 */
export type Broadcast = (
  channel: string,
  name: string,
  payload?: unknown,
  options?: { except?: string | null },
) => void;

/** Makes the function that broadcasts to the channels of an app, and does nothing while there is no app. */
export function broadcaster(channelsOfApp: () => AppApi | undefined): Broadcast {
  return (channel, name, payload = {}, { except } = {}) => {
    const app = channelsOfApp();
    if (!app) return;
    const data = JSON.stringify(payload);
    sendEvent(app, { channel, name: eventName(name), data, socket_id: except });
  };
}

/**
 * Sends an event as {@link Broadcast} does, to the subscribers that are connected to this server only, and of
 * any size.
 */
export type BroadcastHere = (channel: string, name: string, payload: unknown) => void;

/** Makes the function that broadcasts to the channels of an app on this server. */
export function hereBroadcaster(ownApp: () => App): BroadcastHere {
  return (channel, name, payload) => ownApp().publishHere(channel, eventName(name), payload);
}

/** The name on the wire, by Echo's rule for the namespace `App.Events`. */
function eventName(name: string): string {
  return /^[.\\]/.test(name) ? name.slice(1) : `App.Events.${name}`.replaceAll(".", "\\");
}
