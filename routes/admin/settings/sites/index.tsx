import { STATUS_CODE } from "@std/http/status";
import { page } from "fresh";
import { audited } from "@/server/audit/audit.ts";
import { SettingsPage } from "@/components/settings/SettingsPage.tsx";
import { embedNameSchema } from "@/server/embed/embed_settings.ts";
import { refuse, wantsJson } from "@/http/rejection.ts";
import { settingsView } from "@/http/settings_view.ts";
import { textField } from "@/http/request.ts";
import { href } from "@/shared/address.ts";
import { mostSiteTags } from "@/shared/limits.ts";
import { define, type State } from "@/http/state.ts";

/** Creates a site tag, and leads to its page, where its origins are entered. */
export const handler = define.handlers({
  GET: (ctx) => ctx.redirect(href("/admin/settings#sites"), 303),
  async POST(ctx) {
    const { state } = ctx;
    const name = textField(state.input, "name").trim();
    const created = await create(state, name);
    if (created.ok) return ctx.redirect(href(`/admin/settings/sites/${created.id}`), 303);
    const status = STATUS_CODE.UnprocessableEntity;
    if (wantsJson(ctx.req)) return refuse(status, created.reason, created.error);
    state.title = "Settings";
    const refusedSiteTag = { name, error: created.error };
    return page(await settingsView(state, { refusedSiteTag }), { status });
  },
});

type Created =
  | { ok: true; id: string }
  | { ok: false; reason: "invalid" | "too_many"; error: string };

async function create(state: State, entered: string): Promise<Created> {
  const name = embedNameSchema.safeParse(entered);
  if (!name.success) return { ok: false, reason: "invalid", error: name.error.issues[0].message };
  const createdBy = state.session?.user.id ?? "";
  const tag = await state.siteTags.create(
    { name: name.data, origins: [], createdBy },
    audited(state, "site_tag_created"),
  );
  if (tag) return { ok: true, id: tag.id };
  const error = `You've reached ${mostSiteTags} site tags. Revoke one first.`;
  return { ok: false, reason: "too_many", error };
}

export default define.page<typeof handler>(({ data, state }) => (
  <SettingsPage csrfToken={state.csrfToken} view={data} />
));
