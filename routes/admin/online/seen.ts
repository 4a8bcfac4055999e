import { z } from "zod";
import { type LastSeen, maxLastSeenIds } from "../../../shared/online.ts";
import { onlineChannel } from "../../../channels.ts";
import { define } from "../../../state.ts";
import { refuse } from "../../../http/refusal.ts";
import { maxUserIdLength } from "../../../realtime/protocol/protocol.ts";

const idsSchema = z.array(z.string().min(1).max(maxUserIdLength)).max(maxLastSeenIds);

/**
 * When the people with the ids in `?ids=…&ids=…` last gave a sign of life; without those who are not
 * online. Pages request the visible rows, because the times change too often to be sent for everyone.
 */
export const handler = define.handlers({
  GET(ctx) {
    const requested = idsSchema.safeParse(ctx.url.searchParams.getAll("ids"));
    if (!requested.success) {
      return refuse(422, "invalid_ids", `ids must be at most ${maxLastSeenIds} user ids.`);
    }
    const ids = new Set(requested.data);
    const seen = ctx.state.realtime.members(onlineChannel)
      .filter(({ userId }) => ids.has(userId))
      .map(({ userId, lastSeenAt }): LastSeen => ({ id: userId, lastSeenAt }));
    return Response.json(seen, { headers: { "cache-control": "no-store" } });
  },
});
