import { STATUS_CODE } from "@std/http/status";
import { page } from "fresh";
import { audited } from "@/server/audit/audit.ts";
import { SettingsPage } from "@/components/settings/SettingsPage.tsx";
import { embedNameSchema, type EmbedSettings } from "@/server/embed/embed_settings.ts";
import { refuse, wantsJson } from "@/http/rejection.ts";
import { settingsView } from "@/http/settings_view.ts";
import { textField } from "@/http/request.ts";
import { href } from "@/shared/address.ts";
import { mostEmbeds } from "@/shared/limits.ts";
import { define, type State } from "@/http/state.ts";

/** Creates an embed, and leads to its page. */
export const handler = define.handlers({
  GET: (ctx) => ctx.redirect(href("/admin/settings#embeds"), 303),
  async POST(ctx) {
    const { state } = ctx;
    const name = textField(state.input, "name").trim();
    const created = await create(state, name);
    if (created.ok) return ctx.redirect(href(`/admin/settings/embeds/${created.id}`), 303);
    const status = STATUS_CODE.UnprocessableEntity;
    if (wantsJson(ctx.req)) return refuse(status, created.reason, created.error);
    state.title = "Settings";
    const refusedEmbed = { name, error: created.error };
    return page(await settingsView(state, { refusedEmbed }), { status });
  },
});

type Created =
  | { ok: true; id: string }
  | { ok: false; reason: "invalid" | "too_many"; error: string };

async function create(state: State, entered: string): Promise<Created> {
  const name = embedNameSchema.safeParse(entered);
  if (!name.success) return { ok: false, reason: "invalid", error: name.error.issues[0].message };
  const settings: EmbedSettings = {
    name: name.data,
    label: "online",
    origins: [],
    readers: "none",
    activity: "none",
  };
  const createdBy = state.session?.user.id ?? "";
  const embed = await state.embeds.create(
    { ...settings, createdBy },
    audited(state, "embed_created"),
  );
  if (embed) return { ok: true, id: embed.id };
  const error = `You've reached ${mostEmbeds} embeds. Revoke one first.`;
  return { ok: false, reason: "too_many", error };
}

export default define.page<typeof handler>(({ data, state }) => (
  <SettingsPage csrfToken={state.csrfToken} view={data} />
));
