import { z } from "zod";
import { type LastSeen, maxAsked } from "../../../browser/online/last_seen.ts";
import { onlineChannel } from "../../../channels.ts";
import { define } from "../../../state.ts";
import { refuse } from "../../../http/refusal.ts";
import { maxUserIdLength } from "../../../realtime/protocol/users.ts";

const idsSchema = z.array(z.string().min(1).max(maxUserIdLength)).max(maxAsked);

/**
 * When those with the ids given, as `?ids=…&ids=…`, were last heard of; of whoever is not online,
 * nothing is said. Pages ask for the rows that are seen: it changes too often to be told of all.
 */
export const handler = define.handlers({
  GET(ctx) {
    const asked = idsSchema.safeParse(ctx.url.searchParams.getAll("ids"));
    if (!asked.success) {
      return refuse(422, "invalid_ids", `ids must be at most ${maxAsked} ids of users.`);
    }
    const ids = new Set(asked.data);
    const seen = ctx.state.ownApp.members(onlineChannel)
      .filter(({ userId }) => ids.has(userId))
      .map(({ userId, lastSeenAt }): LastSeen => ({ id: userId, lastSeenAt }));
    return Response.json(seen, { headers: { "cache-control": "no-store" } });
  },
});
