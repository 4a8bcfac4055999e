import { define } from "../define.ts";
export const handler = define.handlers({ GET: (ctx) => ctx.text("g") });
