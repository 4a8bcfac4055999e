import { App, type FreshConfig, staticFiles } from "fresh";
import type { State } from "./define.ts";
import { h } from "preact";

export function makeApp(config: FreshConfig = {}) {
  return new App<State>(config)
    .use(async (ctx) => {
      ctx.state.log = ["outer>"];
      const response = await ctx.next();
      try {
        response.headers.set("x-log", ctx.state.log.join(""));
      } catch {
        // The headers of Response.redirect() cannot be changed.
      }
      return response;
    })
    .use(staticFiles())
    .use("/deep", (ctx) => {
      ctx.state.log.push("use/deep>");
      return ctx.next();
    })
    .get("/early", (ctx) => ctx.render(h("p", null, "early")))
    .get("/early/text", (ctx) => ctx.text("t"))
    .get("/early/throw", () => {
      throw new Error("early-throw");
    })
    .get("/mm", (ctx) => ctx.text("get"))
    .post("/mm", (ctx) => ctx.text("post"))
    .fsRoutes()
    .get("/late", (ctx) => ctx.render(h("p", null, "late")))
    .get("/late/throw", () => {
      throw new Error("late-throw");
    });
}

export const app = makeApp();
