import { z } from "zod";
import { admit } from "../../channels.ts";
import { define } from "../../define.ts";
import { refuse } from "../../middleware/refusal.ts";
import { holdSocket, refuseNobody } from "../../middleware/socket_holder.ts";
import { isChannelName, isSocketId } from "../../realtime/protocol.ts";
import { signChannel } from "../../realtime/signature.ts";

const channelRequest = z.object({
  socket_id: z.string().refine(isSocketId),
  channel_name: z.string().refine(isChannelName),
});

/** Signs a visitor's subscription to a channel (Pusher protocol: channel authorization). */
export const handler = define.handlers({
  async POST(ctx) {
    const { visitor, pusherApp } = ctx.state;
    if (!visitor) return refuseNobody(ctx.state, "Sign in to join channels.");
    const request = channelRequest.safeParse(ctx.state.input);
    if (!request.success) return refuse(422, ...faultOf(request.error));
    const { socket_id: socketId, channel_name: channel } = request.data;
    const admission = admit(visitor, channel);
    if (admission === false) {
      return refuse(403, "channel_refused", `You may not join the channel ${channel}.`);
    }
    const refusal = await holdSocket(ctx, socketId);
    if (refusal) return refusal;
    if (admission === true) {
      return Response.json({ auth: signChannel(pusherApp, socketId, channel) });
    }
    const channelData = JSON.stringify({ user_id: visitor.id, user_info: admission });
    return Response.json({
      auth: signChannel(pusherApp, socketId, channel, channelData),
      channel_data: channelData,
    });
  },
});

function faultOf(error: z.ZodError): [reason: string, message: string] {
  return error.issues[0].path[0] === "socket_id"
    ? ["invalid_socket_id", "socket_id must be two numbers with a dot between, such as 123.456."]
    : ["invalid_channel_name", "channel_name must be 1 to 164 of the characters A-Za-z0-9_-=@,.;"];
}
