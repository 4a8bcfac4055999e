import { audited } from "@/server/audit/audit.ts";
import { DisplaysPage } from "@/components/settings/DisplaysPage.tsx";
import type { EmbedSettings } from "@/server/embed/embed_settings.ts";
import { answerCreation } from "@/http/link_forms.ts";
import { displaysView } from "@/http/settings_view.ts";
import { href } from "@/shared/address.ts";
import { mostEmbeds } from "@/shared/limits.ts";
import { define } from "@/http/state.ts";
import { usualLabel } from "@/server/embed/embed_settings.ts";
import { text } from "@/shared/language.ts";

/** Creates an embed, and leads to its page. */
export const handler = define.handlers({
  GET: (ctx) => ctx.redirect(href("/admin/settings/displays#embeds"), 303),
  async POST(ctx) {
    const { embeds, session } = ctx.state;
    return await answerCreation(ctx, {
      path: "/admin/settings/embeds",
      tooMany: () => text`You've reached ${mostEmbeds} embeds. Revoke one first.`,
      create: (name) =>
        embeds.create(
          { ...initial, name, createdBy: session?.user.id ?? "" },
          audited(ctx.state, "embed_created"),
        ),
      shown: (refusedEmbed) => displaysView(ctx.state, { refusedEmbed }),
    });
  },
});

/** Until an admin changes it on its page. */
const initial = {
  label: usualLabel,
  origins: [],
  readers: "none",
  activity: "none",
} as const satisfies Omit<EmbedSettings, "name">;

export default define.page<typeof handler>(({ data, state }) => (
  <DisplaysPage csrfToken={state.csrfToken} view={data} />
));
