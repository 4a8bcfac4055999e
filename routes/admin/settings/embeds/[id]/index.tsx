import { STATUS_CODE } from "@std/http/status";
import { HttpError, page } from "fresh";
import { audited } from "@/server/audit/audit.ts";
import { EmbedPage } from "@/components/embed/EmbedPage.tsx";
import { type EmbedSettings, readEmbedSettings } from "@/server/embed/embed_settings.ts";
import { embedInputOf, embedView } from "@/http/settings_view.ts";
import { refuse, wantsJson } from "@/http/rejection.ts";
import ConnectGuides from "@/islands/ConnectGuides.tsx";
import { href } from "@/shared/address.ts";
import { define } from "@/http/state.ts";
import { text } from "@/shared/language.ts";

/** An embed: the code to copy, and its settings. */
export const handler = define.handlers({
  GET(ctx) {
    const embed = ctx.state.embeds.find(ctx.params.id);
    if (!embed) throw new HttpError(404, missingText());
    ctx.state.title = embed.name;
    const done = ctx.url.searchParams.get("done") === "saved" ? text`Embed saved.` : "";
    return page(embedView(ctx.state, ctx.url, embed, { done }));
  },
  async POST(ctx) {
    const { embeds } = ctx.state;
    const embed = embeds.find(ctx.params.id);
    if (!embed) throw new HttpError(404, missingText());
    const input = embedInputOf(ctx.state.input);
    const entered = readEmbedSettings(input);
    if (!entered.ok) {
      const status = STATUS_CODE.UnprocessableEntity;
      if (wantsJson(ctx.req)) return refuse(status, "invalid", entered.message);
      ctx.state.title = embed.name;
      return page(embedView(ctx.state, ctx.url, embed, { input, refusal: entered }), { status });
    }
    const { settings } = entered;
    const changed = await embeds.change(
      embed.id,
      settings,
      audited(ctx.state, "embed_changed", detailsOf(settings)),
    );
    if (!changed) throw new HttpError(404, missingText());
    return ctx.redirect(href(`/admin/settings/embeds/${embed.id}?done=saved`), 303);
  },
});

function missingText(): string {
  return text`This embed no longer exists.`;
}

function detailsOf({ label, origins, readers, activity }: EmbedSettings) {
  const active: Record<string, string> = activity === "none" ? {} : { activity };
  return { label, origins: origins.join(" ") || null, readers, ...active };
}

export default define.page<typeof handler>(({ data: { view, code }, state }) => (
  <EmbedPage csrfToken={state.csrfToken} view={view} code={<ConnectGuides guides={code} />} />
));
