import { HttpError } from "fresh";
import { define } from "../../define.ts";
export const handler = define.handlers((ctx) => {
  const s = ctx.url.searchParams.get("s");
  if (s) throw new HttpError(Number(s) as 404, "m" + s);
  throw new Error("plain");
});
