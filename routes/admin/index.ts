import { href } from "@/shared/address.ts";
import { define } from "@/http/state.ts";

/** Redirects `/admin` to the live view. */
export const handler = define.handlers({ GET: (ctx) => ctx.redirect(href("/admin/online")) });
