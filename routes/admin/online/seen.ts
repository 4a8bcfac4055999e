import { z } from "zod";
import { type LastSeen, maxLastSeenIds } from "@/shared/online.ts";
import { channelOfQuery } from "@/http/counted_view.ts";
import { define } from "@/http/state.ts";
import { refuse } from "@/http/rejection.ts";
import { maxUserIdLength } from "@/realtime/protocol/member.ts";

const idsSchema = z.array(z.string().min(1).max(maxUserIdLength)).max(maxLastSeenIds);

/**
 * When the people in a counted channel with some ids, given as `?ids=…&ids=…`, were last heard from, by any frame; people
 * who are offline are left out. Pages ask for their visible rows: it changes too often to be published for all.
 */
export const handler = define.handlers({
  async GET(ctx) {
    const requestedIds = idsSchema.safeParse(ctx.url.searchParams.getAll("ids"));
    if (!requestedIds.success) {
      return refuse(422, "invalid_ids", `ids must be up to ${maxLastSeenIds} user ids.`);
    }
    const ids = new Set(requestedIds.data);
    const { members } = await channelOfQuery(ctx.state, ctx.url).presence.onAllServers(ids);
    const seen = members.map(({ userId, lastSeenAt }): LastSeen => ({ id: userId, lastSeenAt }));
    return Response.json(seen);
  },
});
