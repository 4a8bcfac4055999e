import { HttpError } from "fresh";
import { pathOf } from "@/shared/address.ts";
import { may, type Permission } from "@/shared/permissions.ts";
import { keyText, longText } from "@/shared/long_text.ts";
import { define } from "./state.ts";
import { askToSignIn } from "./steps.ts";

/** What admins' routes need that not only admins may request, by method and route. */
const permissions: ReadonlyMap<string, Permission> = new Map([
  ["GET /admin", "view"],
  ["GET /admin/activity", "view"],
  ["GET /admin/activity/numbers", "view"],
  ["GET /admin/activity/numbers.csv", "view"],
  ["GET /admin/channels", "view"],
  ["GET /admin/channels/channel", "view"],
  ["GET /admin/channels/events", "view"],
  ["GET /admin/channels/list", "view"],
  ["GET /admin/channels/status", "view"],
  ["GET /admin/find", "view"],
  ["GET /admin/find/list", "view"],
  ["GET /admin/online", "view"],
  ["GET /admin/online/activity", "view"],
  ["POST /admin/online/counted", "view"],
  ["GET /admin/online/history", "view"],
  ["GET /admin/online/rows", "view"],
  ["GET /admin/online/seen", "view"],
  ["GET /admin/online/snapshot", "view"],
  ["GET /admin/people/:id", "view"],
  ["GET /admin/people/:id/now", "view"],
  ["GET /admin/people/:id/view", "view"],
  ["GET /admin/messages", "act"],
  ["POST /admin/messages", "act"],
  ["POST /admin/people/:id/block", "act"],
  ["POST /admin/people/:id/disconnect", "act"],
  ["POST /admin/people/:id/message", "act"],
  ["POST /admin/people/:id/unblock", "act"],
]);

const refusals: Record<Permission, string> = {
  view: keyText("Only viewers, moderators and admins can view this page."),
  act: keyText("Only moderators and admins can do this."),
  manage: keyText("Only admins can view this page."),
};

/**
 * What a request below `/admin` needs: `manage`, unless the route is listed for others. So a new route is only for
 * admins.
 *
 * @param route as `ctx.route` has it; null where there is none.
 */
export function neededPermission(method: string, route: string | null): Permission {
  if (route === null) return "manage";
  const asked = method === "HEAD" ? "GET" : method;
  return permissions.get(`${asked} ${pathOf({ pathname: route })}`) ?? "manage";
}

/**
 * Lets only those pass whose role permits the route. Without a session, see {@link askToSignIn}; other users get
 * 403.
 *
 * @throws {HttpError} 403.
 */
export const requirePermission = define.middleware(async (ctx) => {
  const { session } = ctx.state;
  if (!session) return askToSignIn(ctx);
  const needed = neededPermission(ctx.req.method, ctx.route);
  if (!may(session.user.role, needed)) throw new HttpError(403, longText(refusals[needed]));
  return await ctx.next();
});
