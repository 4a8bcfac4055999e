import type { z } from "zod";
import { ApiError, countedFor } from "../api/api_access.ts";
import type { messageAnswer, messageBody } from "../api/api_schemas.ts";
import type { ApiToken } from "../api/api_tokens.ts";
import { headOf } from "../api/online_answer.ts";
import { onlineChannel } from "../presence/channels.ts";
import type { Services } from "../services.ts";
import { knownPerson } from "./known_person.ts";
import { sendMessageOfToken, whyUnreachable } from "./send_message.ts";

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
