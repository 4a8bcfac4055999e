import { STATUS_CODE } from "@std/http/status";
import type { Context } from "fresh";
import type { VNode } from "preact";
import { href } from "@/shared/address.ts";
import { type Draft, messageToAllConfirmation } from "@/components/people/MessageForm.tsx";
import type { State } from "./state.ts";
import type { KnownPerson } from "@/server/people/known_person.ts";
import { type MessageFailure, readMessage, sendMessage } from "@/server/people/send_message.ts";
import { requireConfirmation } from "./confirmation.tsx";
import { refuse, wantsJson } from "./rejection.ts";
import { textField } from "./request.ts";
import { text } from "@/shared/language.ts";

const statuses: Record<MessageFailure["reason"], number> = {
  invalid: STATUS_CODE.UnprocessableEntity,
  unreachable: STATUS_CODE.Conflict,
  rate_limited: STATUS_CODE.TooManyRequests,
};

/**
 * Answers the form of a message: sends it, one to everyone once that is confirmed, and redirects to the
 * page of the form.
 *
 * @param to null for everyone online.
 * @param back the path of the page that has the form.
 * @param renderDraft draws that page with a text that was refused.
 */
export async function answerMessage(
  ctx: Context<State>,
  { to, back, renderDraft }: {
    to: KnownPerson | null;
    back: string;
    renderDraft: (draft: Draft) => VNode;
  },
): Promise<Response> {
  const refused = (refusal: MessageFailure) => answerRefusal(ctx, refusal, renderDraft);
  const message = await readMessage(ctx.state, to, ctx.state.input.text);
  if (!message.ok) return await refused(message);
  const question = to === null &&
    await requireConfirmation(ctx, messageToAllConfirmation(), { fields: ["text"], back });
  if (question) return question;
  const except = ctx.req.headers.get("x-socket-id");
  const sent = await sendMessage(ctx.state, to, { text: message.text, except });
  if (!sent.ok) return await refused(sent);
  if (wantsJson(ctx.req)) return Response.json({ message: text`Message sent.` });
  return ctx.redirect(href(`${back}?done=sent`), 303);
}

async function answerRefusal(
  ctx: Context<State>,
  { reason, message, retryAfterSeconds }: MessageFailure,
  renderDraft: (draft: Draft) => VNode,
): Promise<Response> {
  const status = statuses[reason];
  const response = wantsJson(ctx.req)
    ? refuse(status, reason, message)
    : await ctx.render(renderDraft({ text: textField(ctx.state.input, "text"), error: message }), {
      status,
    });
  if (retryAfterSeconds) response.headers.set("retry-after", String(retryAfterSeconds));
  return response;
}
