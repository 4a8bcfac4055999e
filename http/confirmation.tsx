import type { Context } from "fresh";
import { pathOf } from "@/shared/address.ts";
import { ConfirmPage } from "@/components/page/ConfirmPage.tsx";
import type { Confirmation } from "@/components/page/confirmation.ts";
import type { State } from "./state.ts";
import { refuse, wantsJson } from "./refusal.ts";
import { textField } from "./text_field.ts";

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
