import { href, pathOf } from "@/shared/address.ts";
import { define } from "./state.ts";

/** Paths of earlier versions that bookmarks and links can still have, and what replaced them. */
const movedPaths: ReadonlyMap<string, string> = new Map([
  ["/admin/log", "/admin/activity"],
  ["/admin/log/attendance.csv", "/admin/activity/activity.csv"],
  ["/admin/log/audit", "/admin/audit"],
  ["/admin/online/comings", "/admin/online/activity"],
]);

/** Redirects a request for a path that moved, with its query (RFC 9110, 15.4.9: 308). */
export const redirectMovedPaths = define.middleware((ctx) => {
  const path = movedPaths.get(pathOf(ctx.url));
  return path === undefined ? ctx.next() : ctx.redirect(href(path) + ctx.url.search, 308);
});
