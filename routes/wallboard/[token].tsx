import { STATUS_CODE } from "@std/http/status";
import { page } from "fresh";
import { currentFreshness } from "@/server/presence/servers.ts";
import { onlineChannel } from "@/server/presence/channels.ts";
import { clientSettings, usesExternalServer } from "@/server/config/client_options.ts";
import { unknownMessage, WallboardMessage } from "@/components/wallboard/WallboardShell.tsx";
import { define, type State } from "@/http/state.ts";
import Wallboard from "@/islands/Wallboard.tsx";
import { servesHttps } from "@/server/config/config.ts";
import { wallboardChannel } from "@/shared/wallboard.ts";
import { countText } from "@/shared/text.ts";
import type { TokenFailure } from "@/server/wallboard/wallboards.ts";
import { text } from "@/shared/language.ts";

/** Keep the URL from other sites and search engines: it is all that is needed to open the wallboard. */
const headers = { "referrer-policy": "no-referrer", "x-robots-tag": "noindex, nofollow" };

/** The wallboard of a link: how many users are online, full screen. */
export const handler = define.handlers({
  async GET({ params, state, url }) {
    if (usesExternalServer(state.config.pusher)) {
      return page({ message: hostedMessage() }, { status: STATUS_CODE.NotFound, headers });
    }
    const check = await state.wallboards.check(params.token, state.clientAddress);
    if (!check.ok) return refused(check);
    const board = { token: params.token, channel: wallboardChannel(check.link.id) };
    const showsActive = check.link.activity === "shown" || url.searchParams.has("active");
    const hour = await state.wallboards.hour(Date.now());
    return page({ board: { ...board, ...countedNow(state, url), showsActive, hour } }, { headers });
  },
});

function hostedMessage() {
  return {
    title: text`Not available`,
    reason: text`Wallboards aren't available with an external Pusher server.`,
  };
}

function refused(refusal: TokenFailure) {
  if (refusal.reason === "unknown") {
    return page({ message: unknownMessage() }, { status: STATUS_CODE.NotFound, headers });
  }
  const seconds = refusal.retryAfterSeconds;
  const reason = text`Try again in ${countText(seconds, "second")}.`;
  return page({ message: { title: text`Too many attempts`, reason } }, {
    status: STATUS_CODE.TooManyRequests,
    headers: { ...headers, "retry-after": String(seconds) },
  });
}

function countedNow(
  { config, counted: [{ presence, recovery }], ownApp, pusherApp, servers }: State,
  url: URL,
) {
  const { users, guests, connections } = ownApp.presence.counts(onlineChannel);
  return {
    settings: clientSettings(config.pusher, pusherApp.key, url, servesHttps(config)),
    first: {
      users,
      guests,
      connections,
      active: presence.active,
      at: Date.now(),
      freshness: currentFreshness(recovery, servers),
    },
  };
}

export default define.page<typeof handler>(({ data }) =>
  "board" in data ? <Wallboard {...data.board} /> : <WallboardMessage {...data.message} />
);
