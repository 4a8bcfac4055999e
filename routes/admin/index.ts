import { at } from "../../browser/address.ts";
import { define } from "../../define.ts";

/** `/admin` leads to the live view. */
export const handler = define.handlers({ GET: (ctx) => ctx.redirect(at("/admin/online")) });
