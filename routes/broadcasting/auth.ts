import type { Context } from "fresh";
import { z } from "zod";
import { admit, onlineChannel, type Visitor } from "@/server/presence/channels.ts";
import { usesExternalServer } from "@/server/config/client_options.ts";
import { define, type State } from "@/http/state.ts";
import { isObserver } from "@/http/counted_view.ts";
import { refuse } from "@/http/rejection.ts";
import {
  claimSocketOrRefuse,
  refuseForeignSocket,
  refuseSocketId,
  refuseUnreachableSocket,
  refuseWithoutVisitor,
  socketIdSchema,
} from "@/http/socket_claim.ts";
import { signerFor } from "@/realtime/app_config.ts";
import { isQuietChannel } from "@/realtime/channels/reported_pages.ts";
import { isChannelName } from "@/realtime/protocol/channel_names.ts";
import { type MemberOptions, memberOptionsKey } from "@/realtime/protocol/member.ts";
import { signChannel } from "@/realtime/protocol/signature.ts";
import type { AuthorizedCount } from "@/shared/recovery.ts";
import { maySee } from "@/shared/permissions.ts";
import { tokenHeader } from "@/shared/wallboard.ts";

const channelRequest = z.object({
  socket_id: socketIdSchema,
  channel_name: z.string().refine(isChannelName),
});

/** Authorizes a visitor or a wallboard to join a channel (Pusher protocol: channel authorization). */
export const handler = define.handlers({
  async POST(ctx) {
    const token = ctx.req.headers.get(tokenHeader);
    if (token === null && !ctx.state.visitor) {
      return refuseWithoutVisitor(ctx.state, "Sign in to join channels.");
    }
    const request = channelRequest.safeParse(ctx.state.input);
    if (!request.success) return refuseRequest(request.error);
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
  const { config, counted, visitor, pusherApp } = ctx.state;
  const [{ recovery }] = counted;
  const admission = visitor !== null && admit(visitor, channel, counted);
  if (!visitor || admission === false) return refuseChannel(channel);
  const refusal = await claimSocketOrRefuse(ctx, socketId);
  if (refusal) return refusal;
  if (admission === true) {
    return Response.json({ auth: signChannel(signerFor(pusherApp, channel), socketId, channel) });
  }
  // Looked up after the claim: when that changes, admins' claimed sockets have to connect again.
  const observes = isObserver(ctx.state, ctx.req.headers) && channel === onlineChannel;
  const options = memberOptionsFor(ctx.state, visitor, { channel, observes });
  const channelData = JSON.stringify({
    user_id: visitor.id,
    user_info: admission,
    ...options && { [memberOptionsKey]: options },
  });
  return Response.json({
    auth: signChannel(pusherApp, socketId, channel, channelData),
    channel_data: channelData,
    ...channel === onlineChannel && {
      ...recovery.shown !== null && { recovery: recovery.shown },
      ...options?.quiet && { isQuiet: true },
      // An external Pusher server would pass the reports on to the other members.
      ...(observes || usesExternalServer(config.pusher)) && { refusesActivity: true },
    } satisfies AuthorizedCount,
  });
}

/**
 * How a visitor takes part: who may see people is sent who joins and leaves, unless there are too many; everybody
 * else needs the number only. An external Pusher server knows no quiet members.
 */
function memberOptionsFor(
  { config, liveView, pusherApp }: State,
  visitor: Visitor,
  { channel, observes }: { channel: string; observes: boolean },
): MemberOptions | undefined {
  const needsNumber = !maySee(visitor, { appId: pusherApp.id, channel }) ||
    (channel === onlineChannel && liveView.publisher.isLarge);
  const isQuiet = needsNumber && !usesExternalServer(config.pusher);
  if (observes) return { observe: true, ...isQuiet && { quiet: true } };
  if (isQuiet) return { quiet: true };
  return isQuietChannel(pusherApp, channel) ? { quiet: false } : undefined;
}

/** A wallboard token opens only its own channel, so the rules for visitors do not apply. */
async function signForWallboard(
  { state }: Context<State>,
  token: string,
  socketId: string,
  channel: string,
): Promise<Response> {
  const check = await state.wallboards.admit({ token, channel, socketId }, state.clientAddress);
  if (check.ok) {
    const signer = signerFor(state.pusherApp, channel);
    return Response.json({ auth: signChannel(signer, socketId, channel) });
  }
  if (check.reason === "foreign_channel") return refuseChannel(channel);
  if (check.reason === "foreign_socket") return refuseForeignSocket();
  if (check.reason === "unreachable_socket") return refuseUnreachableSocket();
  if (check.reason === "unknown") {
    return refuse(403, "link_unknown", "This link is invalid or was revoked.");
  }
  const response = refuse(429, "rate_limited", "Too many attempts.");
  response.headers.set("retry-after", String(check.retryAfterSeconds));
  return response;
}

function refuseChannel(channel: string): Response {
  return refuse(403, "channel_refused", `Not allowed to join channel ${channel}.`);
}

function refuseRequest(error: z.ZodError): Response {
  if (error.issues[0].path[0] === "socket_id") return refuseSocketId();
  const message = "channel_name must be 1 to 164 of the characters A-Za-z0-9_-=@,.;";
  return refuse(422, "invalid_channel_name", message);
}
