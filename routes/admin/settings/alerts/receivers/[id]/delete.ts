import { deleteConfirmation } from "@/components/alert/Receivers.tsx";
import { missingReceiverText } from "@/http/alerts_view.ts";
import { answerRevocation } from "@/http/link_forms.ts";
import { define } from "@/http/state.ts";
import { audited } from "@/server/audit/audit.ts";

/** Deletes a receiver, which is told nothing more. */
export const handler = define.handlers({
  async POST(ctx) {
    const { params: { id }, state } = ctx;
    return await answerRevocation(ctx, {
      made: await state.alertReceivers.find(id) ?? null,
      missing: missingReceiverText(),
      confirmation: deleteConfirmation,
      back: `/admin/settings/alerts/receivers/${id}`,
      revoke: () => state.alertReceivers.delete(id, audited(state, "alert_receiver_deleted")),
      done: "/admin/settings/alerts?done=deleted",
    });
  },
});
