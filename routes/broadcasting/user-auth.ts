import { z } from "zod";
import { define } from "../../define.ts";
import { blockedWords } from "../../middleware/access.ts";
import { refuse } from "../../middleware/refusal.ts";
import { foreignSocket, mayBeSigned } from "../../middleware/socket_holder.ts";
import { isSocketId } from "../../realtime/protocol.ts";
import { signUser } from "../../realtime/signature.ts";

const userRequest = z.object({ socket_id: z.string().refine(isSocketId) });

/** Signs a connection's sign-in as its visitor (Pusher protocol: user authentication). */
export const handler = define.handlers({
  POST(ctx) {
    const { visitor, pusherApp, isBlocked } = ctx.state;
    if (isBlocked) return refuse(403, "guest_blocked", blockedWords);
    if (!visitor) return refuse(403, "not_signed_in", "Sign in first.");
    const request = userRequest.safeParse(ctx.state.input);
    if (!request.success) {
      return refuse(422, "invalid_socket_id", "socket_id must be two numbers with a dot between.");
    }
    if (!mayBeSigned(ctx.state, request.data.socket_id)) return refuse(403, ...foreignSocket);
    const userData = JSON.stringify({ id: visitor.id, user_info: { id: visitor.id } });
    return Response.json({
      auth: signUser(pusherApp, request.data.socket_id, userData),
      user_data: userData,
    });
  },
});
