import { sendEvent } from "@/realtime/api/events.ts";
import type { AppApi } from "@/realtime/api/app_api.ts";
import type { App } from "@/realtime/server.ts";
import { may, type Role } from "@/shared/permissions.ts";

/** A signed-in user, or a guest where guests are admitted. */
export interface Visitor {
  /** Opaque and stable; all members of a presence channel receive it. */
  id: string;
  kind: "user" | "guest";
  /** Null for a guest. */
  role: Role | null;
}

/** Whether a visitor can join a channel; for presence channels, what other members receive of them. */
type Admission = boolean | MemberInfo;

/** What all members of a presence channel receive of each other. It must not contain names. */
interface MemberInfo {
  id: string;
}

type Rule = (visitor: Visitor, parameters: Record<string, string>) => Admission;

/** Who can join which channel: a rule per line; `{name}` stands for a part of the name without dots. */
const rules: Record<string, Rule> = {
  "presence-chart": (visitor) => ({ id: visitor.id }),
  "private-rollcall.users.{id}": (visitor, { id }) => visitor.id === id,
  "private-rollcall.online": (visitor) => may(visitor.role, "view"),
  "private-rollcall.counted.{target}": (visitor) => may(visitor.role, "view"),
  "private-rollcall.inspector.{target}": (visitor) => may(visitor.role, "view"),
};

const patterns = Object.entries(rules).map(([name, rule]) => ({
  pattern: new RegExp(
    "^" + name.replace(/[.*+?^$()|[\]\\]/g, "\\$&").replace(/\{(\w+)\}/g, "(?<$1>[^.]+)") + "$",
  ),
  rule,
}));

/**
 * Decides whether a visitor can join a channel. Channels without a rule are refused.
 *
 * @returns what other members receive of the visitor (presence channels), `true`, or `false`.
 */
export function admit(visitor: Visitor, channel: string): Admission {
  for (const { pattern, rule } of patterns) {
    const match = pattern.exec(channel);
    if (match) return rule(visitor, { ...match.groups });
  }
  return false;
}

/** The presence channel whose members are the users online; Echo's name for it is `chart`. */
export const onlineChannel = "presence-chart";

/** The channel on which admins' pages receive who the members of {@link onlineChannel} are. */
export const adminChannel = "private-rollcall.online";

/** The channel on which admins' pages receive who is in another counted channel. */
export function countedPagesChannel(target: string): string {
  return `private-rollcall.counted.${target}`;
}

/** The channel of a visitor's own pages. */
export function visitorChannel(id: string): string {
  return `private-rollcall.users.${id}`;
}

/** The channel on which admins' pages receive the events of a channel that they inspect. */
export function inspectorChannel(target: string): string {
  return `private-rollcall.inspector.${target}`;
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
