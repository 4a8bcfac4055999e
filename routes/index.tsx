import { page } from "fresh";
import { clientSettings } from "../client_settings.ts";
import { Home } from "../components/Home.tsx";
import { define } from "../define.ts";
import UsersCount from "../islands/UsersCount.tsx";
import { signInAddress } from "../middleware/access.ts";
import { onlineCount } from "../online_count.ts";
import { servesHttps } from "../services.ts";

/** The first page: the live number, for whoever is counted. Others are asked to sign in. */
export const handler = define.handlers({
  GET(ctx) {
    const { config, pusherApp, visitor } = ctx.state;
    if (!visitor) return ctx.redirect(signInAddress(ctx.url), 303);
    ctx.state.title = "Home";
    return page({
      settings: clientSettings(config.pusher, pusherApp.key, ctx.url, servesHttps(config)),
      ...onlineCount(ctx.state, visitor),
    });
  },
});

export default define.page<typeof handler>(({ data, state }) => (
  <Home viewer={state.session?.user ?? null}>
    <UsersCount {...data} />
  </Home>
));
