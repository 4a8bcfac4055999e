import { STATUS_CODE } from "@std/http/status";
import { rememberCounted } from "@/http/counted_view.ts";
import { refuse } from "@/http/rejection.ts";
import { closeCodes } from "@/realtime/protocol/close_codes.ts";
import { href } from "@/shared/address.ts";
import { define } from "@/http/state.ts";

/**
 * Counts the admin in this browser, or no longer does. All tabs of the session reconnect, so that the
 * number is right in each of them.
 */
export const handler = define.handlers({
  POST(ctx) {
    const { config, input: { counted }, isObserver, allServers, session } = ctx.state;
    if (counted !== "yes" && counted !== "no") {
      return refuse(STATUS_CODE.UnprocessableEntity, "invalid", "counted must be yes or no.");
    }
    const isCounted = counted === "yes";
    const response = ctx.redirect(href("/admin/online"), 303);
    rememberCounted(response.headers, config, isCounted);
    if (session && isCounted === isObserver) {
      const reason = "Counting changed";
      const { reconnect: code } = closeCodes;
      allServers.closeSession(session.id, { code, reason, cause: "unsubscribed" });
    }
    return response;
  },
});
