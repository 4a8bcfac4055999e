import { HttpError } from "fresh";
import type { AppStatus } from "@/shared/connect.ts";
import { define } from "@/http/state.ts";
import { text } from "@/shared/language.ts";

/** How the clients of an app fare, for a page that was notified of a change. */
export const handler = define.handlers({
  async GET(ctx) {
    const app = ctx.state.apps.find(ctx.url.searchParams.get("app") ?? "");
    if (!app) throw new HttpError(404, text`This app no longer exists.`);
    return Response.json(await ctx.state.appStatuses.of(app.id) satisfies AppStatus);
  },
});
