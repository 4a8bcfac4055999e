import { removeMarkConfirmation } from "@/components/history/EventsCard.tsx";
import { answerRevocation } from "@/http/link_forms.ts";
import { define } from "@/http/state.ts";
import { audited } from "@/server/audit/audit.ts";
import { findMark, removeMark } from "@/server/history/marks.ts";
import { text } from "@/shared/language.ts";

/** Removes a mark from the history. */
export const handler = define.handlers({
  async POST(ctx) {
    const { params: { id }, state } = ctx;
    const { database } = state;
    return await answerRevocation(ctx, {
      made: await findMark(database.queries, id),
      missing: text`This mark no longer exists.`,
      confirmation: removeMarkConfirmation,
      back: "/admin/activity/numbers#events",
      revoke: () => removeMark(database, id, audited(state, "mark_removed")),
      done: "/admin/activity/numbers?done=removed#events",
    });
  },
});
