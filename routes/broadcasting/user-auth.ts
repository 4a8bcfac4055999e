import { z } from "zod";
import { define } from "@/http/state.ts";
import {
  claimSocketOrRefuse,
  refuseSocketId,
  refuseWithoutVisitor,
  socketIdSchema,
} from "@/http/socket_claim.ts";
import { signUser } from "@/realtime/protocol/signature.ts";

const userRequest = z.object({ socket_id: socketIdSchema });

/** Authenticates a connection as its visitor (Pusher protocol: user authentication). */
export const handler = define.handlers({
  async POST(ctx) {
    const { visitor, pusherApp } = ctx.state;
    if (!visitor) return refuseWithoutVisitor(ctx.state, "Sign in required.");
    const request = userRequest.safeParse(ctx.state.input);
    if (!request.success) return refuseSocketId();
    const refusal = await claimSocketOrRefuse(ctx, request.data.socket_id);
    if (refusal) return refusal;
    const userData = JSON.stringify({ id: visitor.id, user_info: { id: visitor.id } });
    return Response.json({
      auth: signUser(pusherApp, request.data.socket_id, userData),
      user_data: userData,
    });
  },
});
