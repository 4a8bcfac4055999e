import type { Context } from "fresh";
import { pathOf } from "@/shared/address.ts";
import { type Confirmation, ConfirmPage } from "@/components/page/ConfirmPage.tsx";
import type { State } from "./state.ts";
import { refuse, refusedChange, rejectionForProgram, wantsJson } from "./rejection.ts";
import { textField } from "./request.ts";
import { STATUS_CODE } from "@std/http/status";
import type { Failure } from "@/server/accounts/accounts.ts";
import { LinkMessage } from "@/components/accounts/InviteForm.tsx";
import { text } from "@/shared/language.ts";

/**
 * Requires that the request confirms its action, with the field `confirmed=yes`.
 *
 * @param fields the names of the form's fields, which the confirmation page submits again.
 * @param back the path of the page to which Cancel leads.
 * @returns the confirmation page, or a refusal for programs; null when the request is confirmed.
 */
export async function requireConfirmation(
  ctx: Context<State>,
  confirmation: Confirmation,
  { fields, back }: { fields: readonly string[]; back: string },
): Promise<Response | null> {
  const { input, csrfToken } = ctx.state;
  if (input.confirmed === "yes") return null;
  if (wantsJson(ctx.req)) return refuse(422, "not_confirmed", "Send the field confirmed=yes.");
  ctx.state.title = confirmation.question;
  return await ctx.render(
    <ConfirmPage
      csrfToken={csrfToken}
      confirmation={confirmation}
      path={pathOf(ctx.url)}
      fields={Object.fromEntries(fields.map((name) => [name, textField(input, name)]))}
      back={back}
    />,
  );
}

/**
 * Refuses the link of an invitation or of a new password in a browser that is signed in: it is for another
 * person, or would end the session that its reader sees.
 *
 * @returns null for a browser that is not signed in.
 */
export async function refuseWhileSignedIn(ctx: Context<State>): Promise<Response | null> {
  const { session, csrfToken } = ctx.state;
  if (!session) return null;
  const status = STATUS_CODE.Conflict;
  const title = text`You're signed in as ${session.user.name}`;
  const reason = text`Sign out and open the link again to use it, or pass it on: it still works.`;
  if (wantsJson(ctx.req)) return refuse(status, "signed_in", reason);
  return await ctx.render(<LinkMessage title={title} reason={reason} signOut={csrfToken} />, {
    status,
  });
}

/** Refuses a link that does not work, or a client with too many wrong ones. */
export async function refuseLink(ctx: Context<State>, refusal: Failure): Promise<Response> {
  const isUnknown = refusal.reason === "unknown_link";
  const title = isUnknown ? text`This link no longer works` : text`Too many attempts`;
  const reason = isUnknown
    ? text`Each link works once, for 24 hours. Ask an admin for a new one.`
    : refusal.message;
  return rejectionForProgram(ctx.req, refusal) ??
    await ctx.render(<LinkMessage title={title} reason={reason} />, refusedChange(refusal));
}
