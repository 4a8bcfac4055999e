import { z } from "zod";
import { define } from "../../state.ts";
import { refuse } from "../../http/refusal.ts";
import { holdSocket, refuseNobody } from "../../http/socket_claim.ts";
import { isSocketId } from "../../realtime/protocol/protocol.ts";
import { signUser } from "../../realtime/protocol/signature.ts";

const userRequest = z.object({ socket_id: z.string().refine(isSocketId) });

/** Signs a connection's sign-in as its visitor (Pusher protocol: user authentication). */
export const handler = define.handlers({
  async POST(ctx) {
    const { visitor, pusherApp } = ctx.state;
    if (!visitor) return refuseNobody(ctx.state, "Sign in first.");
    const request = userRequest.safeParse(ctx.state.input);
    if (!request.success) {
      return refuse(422, "invalid_socket_id", "socket_id must be two numbers separated by a dot.");
    }
    const refusal = await holdSocket(ctx, request.data.socket_id);
    if (refusal) return refusal;
    const userData = JSON.stringify({ id: visitor.id, user_info: { id: visitor.id } });
    return Response.json({
      auth: signUser(pusherApp, request.data.socket_id, userData),
      user_data: userData,
    });
  },
});
