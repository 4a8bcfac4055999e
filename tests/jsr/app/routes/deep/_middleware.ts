import { define } from "../../define.ts";
export default define.middleware((ctx) => {
  ctx.state.log.push("mw1>");
  return ctx.next();
});
