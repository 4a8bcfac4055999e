import { HttpError } from "fresh";
import { blockIdConfirmation } from "@/components/accounts/BlockedPeople.tsx";
import { requireConfirmation } from "@/http/confirmation.tsx";
import { textField } from "@/http/request.ts";
import { define, type State } from "@/http/state.ts";
import { maxUserIdLength } from "@/realtime/protocol/member.ts";
import { blockInApp, unblockInApp } from "@/server/people/disconnect.ts";
import { href } from "@/shared/address.ts";
import { isGuestId } from "@/shared/client_settings.ts";

/** Blocks an id in an app, once that is confirmed, or unblocks it; and redirects to the list. */
export const handler = define.handlers({
  async POST(ctx) {
    const { params: { action }, state } = ctx;
    const appId = textField(state.input, "app") || state.served.own.id;
    const userId = textField(state.input, "user");
    if (action === "unblock") {
      await unblockInApp(state, appId, userId);
      return ctx.redirect(href("/admin/settings/team?done=unblocked#blocked-people"), 303);
    }
    if (action !== "block") throw new HttpError(404);
    const problem = await whyNotBlocked(state, appId, userId);
    if (problem) return ctx.redirect(href(`/admin/settings/team?problem=${problem}`), 303);
    const app = state.apps.find(appId)?.name ?? appId;
    const question = await requireConfirmation(ctx, blockIdConfirmation(userId, app), {
      fields: ["app", "user", "reason"],
      back: "/admin/settings/team",
    });
    if (question) return question;
    const reason = textField(state.input, "reason");
    const person = { id: userId, name: userId };
    const refusal = await blockInApp(state, { appId, person, reason });
    const outcome = refusal ? `problem=${refusal}` : "done=blocked#blocked-people";
    return ctx.redirect(href(`/admin/settings/team?${outcome}`), 303);
  },
});

/** Why an id cannot be blocked in an app, as the URL of the users page names it; null when it can be. */
async function whyNotBlocked(state: State, appId: string, userId: string): Promise<string | null> {
  if (!state.apps.find(appId)) return "no_app";
  if (userId === "" || userId.length > maxUserIdLength) return "invalid_id";
  if (appId !== state.served.own.id) return null;
  return isGuestId(userId) || await state.accounts.find(userId) ? "has_page" : null;
}
