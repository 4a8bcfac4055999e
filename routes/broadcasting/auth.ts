import type { Context } from "fresh";
import { z } from "zod";
import { admit } from "../../channels.ts";
import { define, type State } from "../../state.ts";
import { refuse } from "../../http/refusal.ts";
import { holdSocket, refuseForeignSocket, refuseNobody } from "../../http/socket_claim.ts";
import { isChannelName, isSocketId } from "../../realtime/protocol/protocol.ts";
import { signChannel } from "../../realtime/protocol/signature.ts";
import { tokenHeader } from "../../shared/wallboard.ts";

const channelRequest = z.object({
  socket_id: z.string().refine(isSocketId),
  channel_name: z.string().refine(isChannelName),
});

/** Signs a visitor's or a wallboard's subscription to a channel (Pusher protocol: channel authorization). */
export const handler = define.handlers({
  async POST(ctx) {
    const token = ctx.req.headers.get(tokenHeader);
    if (token === null && !ctx.state.visitor) {
      return refuseNobody(ctx.state, "Sign in to join channels.");
    }
    const request = channelRequest.safeParse(ctx.state.input);
    if (!request.success) return refuse(422, ...faultOf(request.error));
    const { socket_id: socketId, channel_name: channel } = request.data;
    return token === null
      ? await signForVisitor(ctx, socketId, channel)
      : await signForWallboard(ctx, token, socketId, channel);
  },
});

async function signForVisitor(
  ctx: Context<State>,
  socketId: string,
  channel: string,
): Promise<Response> {
  const { visitor, pusherApp } = ctx.state;
  const admission = visitor !== null && admit(visitor, channel);
  if (!visitor || admission === false) return refuseChannel(channel);
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
}

/** What the token opens is its own channel and nothing else: no rule for visitors is asked. */
async function signForWallboard(
  { state }: Context<State>,
  token: string,
  socketId: string,
  channel: string,
): Promise<Response> {
  const check = await state.wallboards.admit({ token, channel, socketId }, state.clientAddress);
  if (check.ok) return Response.json({ auth: signChannel(state.pusherApp, socketId, channel) });
  if (check.reason === "foreign_channel") return refuseChannel(channel);
  if (check.reason === "foreign_socket") return refuseForeignSocket();
  if (check.reason === "unknown") {
    return refuse(403, "link_unknown", "This link is invalid or has been revoked.");
  }
  const response = refuse(
    429,
    "rate_limited",
    "Too many invalid links were opened from your network.",
  );
  response.headers.set("retry-after", String(check.retryAfterSeconds));
  return response;
}

function refuseChannel(channel: string): Response {
  return refuse(403, "channel_refused", `You may not join the channel ${channel}.`);
}

function faultOf(error: z.ZodError): [reason: string, message: string] {
  return error.issues[0].path[0] === "socket_id"
    ? ["invalid_socket_id", "socket_id must be two numbers separated by a dot, such as 123.456."]
    : ["invalid_channel_name", "channel_name must be 1 to 164 of the characters A-Za-z0-9_-=@,.;"];
}
