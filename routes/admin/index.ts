import { define } from "../../define.ts";

/** `/admin` leads to the live view. */
export const handler = define.handlers({ GET: (ctx) => ctx.redirect("/admin/online") });
