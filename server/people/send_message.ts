import { audit, auditWithToken } from "../audit/audit.ts";
import { onlineChannel, visitorChannel } from "../presence/channels.ts";
import { usesExternalServer } from "../config/client_options.ts";
import type { Acting } from "./manage_user.ts";
import { Unavailable } from "@/realtime/brokers/broker.ts";
import { isSocketId } from "@/realtime/protocol/socket_id.ts";
import { type KnownPerson, knownPerson } from "./known_person.ts";
import type { Named } from "@/shared/audit.ts";
import { type Message, messageTextSchema } from "@/shared/message.ts";
import type { Services } from "../services.ts";
import { may } from "@/shared/permissions.ts";
import { countText } from "@/shared/text.ts";
import type { z } from "zod";
import { ApiError, countedFor } from "../api/api_access.ts";
import type { messageAnswer, messageBody } from "../api/api_schemas.ts";
import type { ApiToken } from "../api/api_tokens.ts";
import { headOf } from "../api/online_answer.ts";
import { text } from "@/shared/language.ts";

/** Why a message was not sent. */
export interface MessageFailure {
  ok: false;
  reason: "invalid" | "rate_limited" | "unreachable";
  /** The reason as a sentence for people. */
  message: string;
  retryAfterSeconds?: number;
}

/**
 * Why a message cannot be delivered, as a sentence; null when it can.
 *
 * @param to null for everyone online.
 */
export async function whyUnreachable(
  { allServers, config }: Services,
  to: Pick<KnownPerson, "id" | "kind" | "isPartial" | "presence"> | null,
): Promise<string | null> {
  if (usesExternalServer(config.pusher)) {
    return text`Messages aren't available while an external Pusher server is in use.`;
  }
  if (to === null) return null;
  if (to.kind === "foreign") {
    return text`This person is in your own app. Rollcall can only message people on its own pages.`;
  }
  // Whether they have a page open elsewhere is not told to who may see only some channels.
  if (to.isPartial && !to.presence) return offlineText();
  try {
    if (await allServers.isOccupied(visitorChannel(to.id))) return null;
  } catch (error) {
    if (!(error instanceof Unavailable)) throw error;
    return text`Messages aren't available while the servers cannot reach each other.`;
  }
  return offlineText();
}

const offlineText = () => text`This person is offline. Messages can only be sent to people online.`;

/** How many people can see a message to everyone, apart from the sender. */
export interface MessageReach {
  /** On Rollcall's own pages, which show it. */
  own: number;
  /** In the operator's app, which has to show it. */
  external: number;
}

/**
 * Who can see a message to everyone; null while they are too many to tell apart, or the other servers cannot be asked.
 *
 * @param senderId the id of the account that writes it.
 */
export async function messageReach(
  { accounts, allServers, liveView }: Acting,
  senderId: string | undefined,
): Promise<MessageReach | null> {
  const { isLarge, people } = await liveView.publisher.snapshot();
  if (isLarge) return null;
  // A person who is leaving has no page that could show it.
  const others = people.filter(({ id, connections }) => id !== senderId && connections > 0);
  // Admins who only watch are not counted, and see it too.
  const watching = (await accounts.list())
    .filter(({ id, role }) => id !== senderId && may(role, "view"));
  const here = others.filter(({ kind }) => kind !== "foreign");
  // Guests can be visitors of a site with a tag, whose pages show no messages.
  const channels = new Set([...here, ...watching].map(({ id }) => visitorChannel(id)));
  try {
    const own = (await allServers.occupied([...channels])).length;
    return { own, external: others.length - here.length };
  } catch (error) {
    if (!(error instanceof Unavailable)) throw error;
    return null;
  }
}

/**
 * Reads the text of a message before it is confirmed, or why it cannot be sent.
 *
 * @param to null for everyone online.
 * @param input the text, not validated.
 */
export async function readMessage(
  state: Acting,
  to: KnownPerson | null,
  input: unknown,
): Promise<{ ok: true; text: string } | MessageFailure> {
  const read = messageTextSchema.safeParse(input ?? "");
  if (!read.success) return { ok: false, reason: "invalid", message: read.error.issues[0].message };
  const unreachable = await whyUnreachable(state, to);
  if (unreachable) return { ok: false, reason: "unreachable", message: unreachable };
  return { ok: true, text: read.data };
}

/**
 * Sends a text from the signed-in admin to the open pages of a person, or of everyone online. The audit
 * log has it before it is sent.
 *
 * @param to null for everyone online.
 * @param except the socket id of the page that sends it, which does not receive it; not validated.
 */
export async function sendMessage(
  state: Acting,
  to: KnownPerson | null,
  { text, except }: { text: string; except: string | null },
): Promise<{ ok: true } | MessageFailure> {
  const sender = state.session?.user ?? { id: "", name: "" };
  return await send(state, to, text, {
    sender,
    record: (action) => audit(state, action, to, { text }),
    except: except !== null && isSocketId(except) ? except : null,
  });
}

/** {@link sendMessage} for a program with a token of the API, whose name the message has. */
export async function sendMessageOfToken(
  services: Services,
  token: Named,
  to: Named | null,
  text: string,
): Promise<{ ok: true } | MessageFailure> {
  return await send(services, to, text, {
    sender: token,
    record: (action) =>
      auditWithToken(services.auditLog, token, { action, target: to, details: { text } }),
    except: null,
  });
}

async function send(
  { broadcast, sendingLimit }: Services,
  to: Named | null,
  text: string,
  { sender, record, except }: {
    sender: Named;
    record: (action: "message_sent" | "message_sent_to_all") => Promise<void>;
    except: string | null;
  },
): Promise<{ ok: true } | MessageFailure> {
  const wait = sendingLimit.take(sender.id, Date.now());
  if (wait > 0) return limited(wait);
  await record(to ? "message_sent" : "message_sent_to_all");
  const message: Message = { from: sender.name, text, sentAt: new Date().toISOString() };
  broadcast(to ? visitorChannel(to.id) : onlineChannel, "MessageSent", message, { except });
  return { ok: true };
}

function limited(retryAfterSeconds: number): MessageFailure {
  const wait = countText(retryAfterSeconds, "second");
  const message = text`You're sending too fast. Try again in ${wait}.`;
  return { ok: false, reason: "rate_limited", message, retryAfterSeconds };
}

/**
 * Sends a text to the open pages of a person, or of everyone online. The admin log has it before.
 *
 * @throws {ApiError} 404 for a token of another app or channel, and for an unknown person; 409 when the message
 * cannot be delivered; 429 when the token sends too many.
 */
export async function answerMessage(
  services: Services,
  token: ApiToken,
  { text, to: id }: z.infer<typeof messageBody>,
): Promise<z.infer<typeof messageAnswer>> {
  const { counted, served, servers } = services;
  const own = { appId: served.own.id, channel: onlineChannel };
  countedFor([own], token, {});
  const to = id === undefined ? null : await knownPerson(services, id, [token]);
  if (id !== undefined && !to) {
    throw new ApiError(404, "unknown_person", "No person is known with this ID.");
  }
  const unreachable = await whyUnreachable(services, to);
  if (unreachable) throw new ApiError(409, "unreachable", unreachable);
  const sent = await sendMessageOfToken(services, token, to, text);
  if (!sent.ok) {
    const headers = { "retry-after": String(sent.retryAfterSeconds) };
    throw new ApiError(429, "too_many_requests", sent.message, headers);
  }
  const channel = counted.find(({ appId }) => appId === own.appId) ?? counted[0];
  return { ...headOf(channel, servers), to: to?.id ?? null };
}
