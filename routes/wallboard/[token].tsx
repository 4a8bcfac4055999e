import { STATUS_CODE } from "@std/http/status";
import { page } from "fresh";
import { countText } from "../../shared/number_text.ts";
import { onlineChannel } from "../../channels.ts";
import { clientSettings, isHosted } from "../../config/client_settings.ts";
import { unknownText, WallboardMessage } from "../../components/wallboard/WallboardMessage.tsx";
import { define, type State } from "../../state.ts";
import Wallboard from "../../islands/Wallboard.tsx";
import { wallboardChannel } from "../../shared/wallboard.ts";
import type { TokenRefusal } from "../../wallboard/wallboards.ts";
import { servesHttps } from "../../config/config.ts";

/** The address is a secret: no other site and no search engine may learn it. */
const headers = { "referrer-policy": "no-referrer", "x-robots-tag": "noindex, nofollow" };

/** The number of users online, full screen, for everyone with the link. */
export const handler = define.handlers({
  async GET({ params, state, url }) {
    if (isHosted(state.config.pusher)) {
      return page({ message: hostedText }, { status: STATUS_CODE.NotFound, headers });
    }
    const check = await state.wallboards.check(params.token, state.clientAddress);
    if (!check.ok) return refused(check);
    const board = { token: params.token, channel: wallboardChannel(check.link.id) };
    return page({ board: { ...board, ...countedNow(state, url) } }, { headers });
  },
});

const hostedText = {
  title: "Not available",
  text: "Wallboards aren't available with an external Pusher server.",
};

function refused(refusal: TokenRefusal) {
  if (refusal.reason === "unknown") {
    return page({ message: unknownText }, { status: STATUS_CODE.NotFound, headers });
  }
  const seconds = String(refusal.retryAfterSeconds);
  const wait = countText(refusal.retryAfterSeconds, "second");
  const text = `Too many invalid links were opened from your network. Try again in ${wait}.`;
  return page({ message: { title: "Too many attempts", text } }, {
    status: STATUS_CODE.TooManyRequests,
    headers: { ...headers, "retry-after": seconds },
  });
}

function countedNow({ config, pusherApp, realtime }: State, url: URL) {
  const { users, connections } = realtime.presence(onlineChannel);
  return {
    settings: clientSettings(config.pusher, pusherApp.key, url, servesHttps(config)),
    first: { users, connections, at: Date.now() },
  };
}

export default define.page<typeof handler>(({ data }) =>
  "board" in data ? <Wallboard {...data.board} /> : <WallboardMessage {...data.message} />
);
