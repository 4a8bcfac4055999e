import { define } from "../define.ts";
export default define.middleware((ctx) => {
  ctx.state.log.push("mw0>");
  return ctx.next();
});
