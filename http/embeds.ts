import { embedOf } from "@/shared/embed.ts";
import { pathOf } from "@/shared/address.ts";
import { usesExternalServer } from "@/server/config/client_settings.ts";
import type { Services } from "@/server/services.ts";
import { define } from "./state.ts";

/**
 * Answers requests for embeds, without session and cookies. With an external Pusher server the count is
 * not known, and none exists.
 */
export function answerEmbeds({ config, embeds }: Services) {
  const isCounted = !usesExternalServer(config.pusher);
  return define.middleware((ctx) => {
    const embed = isCounted ? embedOf(pathOf(ctx.url)) : null;
    if (!embed || !["GET", "HEAD"].includes(ctx.req.method)) return ctx.next();
    return embeds.answer(ctx.req, embed, ctx.state.clientAddress);
  });
}
