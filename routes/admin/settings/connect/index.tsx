import { STATUS_CODE } from "@std/http/status";
import { HttpError, page } from "fresh";
import { audited } from "@/server/audit/audit.ts";
import { refuse, wantsJson } from "@/http/rejection.ts";
import { outcomeOf, textField } from "@/http/request.ts";
import { href } from "@/shared/address.ts";
import { ConnectPage } from "@/components/connect/ConnectPage.tsx";
import { connectView } from "@/http/connect_view.ts";
import AppStatus from "@/islands/AppStatus.tsx";
import ConnectGuides from "@/islands/ConnectGuides.tsx";
import { define } from "@/http/state.ts";
import { text } from "@/shared/language.ts";
import { keyText, longText } from "@/shared/long_text.ts";

/** What the page shows after an action, by the `done` of its URL. */
const outcomes: Record<string, string> = {
  added: keyText("App added."),
  renamed: keyText("App renamed."),
  rotated: keyText("Secret replaced. Give your server the new one."),
  removed: keyText("App removed."),
};

/** Connects an app of the operator; a POST adds one. */
export const handler = define.handlers({
  async GET(ctx) {
    ctx.state.title = text`Connect & apps`;
    const { searchParams } = ctx.url;
    const { apps } = ctx.state;
    const app = apps.find(searchParams.get("app") ?? "") ?? apps.list()[0];
    return page(
      await connectView(ctx.state, ctx.url, app, {
        done: longText(outcomeOf(ctx.url, outcomes) ?? ""),
      }),
    );
  },
  async POST(ctx) {
    const { state } = ctx;
    const name = textField(state.input, "name").trim();
    const added = await state.apps.add(name, audited(state, "app_added"));
    if (added.ok) {
      return ctx.redirect(href(`/admin/settings/connect?app=${added.app.id}&done=added`), 303);
    }
    const status = STATUS_CODE.UnprocessableEntity;
    if (wantsJson(ctx.req)) return refuse(status, added.reason, added.message);
    if (added.reason === "read_only") throw new HttpError(status, added.message);
    state.title = text`Connect & apps`;
    const refused = { form: "add" as const, name, error: added.message };
    const [first] = state.apps.list();
    return page(await connectView(state, ctx.url, first, { refused }), { status });
  },
});

export default define.page<typeof handler>(({ data, state }) => (
  <ConnectPage
    csrfToken={state.csrfToken}
    view={data}
    status={<AppStatus settings={data.settings} appId={data.app.id} first={data.status} />}
    guides={<ConnectGuides guides={data.guides} />}
  />
));
