import { page } from "fresh";
import { ServerPage } from "@/components/settings/ServerPage.tsx";
import { liveCount } from "@/http/counted_view.ts";
import { serverView } from "@/http/settings_view.ts";
import { define } from "@/http/state.ts";
import Servers from "@/islands/Servers.tsx";

/** The server: its health, the other servers, its public address and its email. */
export const handler = define.handlers({
  GET: async (ctx) => page(await serverView(ctx.state)),
});

export default define.page<typeof handler>(({ data, state, url }) => (
  <ServerPage
    csrfToken={state.csrfToken}
    view={data}
    servers={data.health?.servers && (
      <Servers settings={liveCount(state, url).settings} first={data.health} />
    )}
  />
));
