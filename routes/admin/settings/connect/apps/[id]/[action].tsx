import { STATUS_CODE } from "@std/http/status";
import { type Context, HttpError, page } from "fresh";
import type { AppResult, AppView } from "@/server/apps/app_registry.ts";
import { audit, audited } from "@/server/audit/audit.ts";
import { removeAppConfirmation, rotateConfirmation } from "@/components/connect/ManageAppCard.tsx";
import { ConnectPage, type ConnectView } from "@/components/connect/ConnectPage.tsx";
import type { Confirmation } from "@/components/page/ConfirmPage.tsx";
import { requireConfirmation } from "@/http/confirmation.tsx";
import { connectView } from "@/http/connect_view.ts";
import { refuse, wantsJson } from "@/http/rejection.ts";
import { textField } from "@/http/request.ts";
import AppStatus from "@/islands/AppStatus.tsx";
import CopyField from "@/islands/CopyField.tsx";
import ConnectGuides from "@/islands/ConnectGuides.tsx";
import { href } from "@/shared/address.ts";
import { define, type State } from "@/http/state.ts";
import { text } from "@/shared/language.ts";

interface Action {
  confirmation?: (app: AppView) => Confirmation;
  run: (state: State, app: AppView) => Promise<AppResult>;
  /** The `done` of the page afterwards. */
  done: string;
}

/** What the last part of the path does. */
const actions: Record<string, Action> = {
  rename: {
    run: (state, { id }) =>
      state.apps.rename(id, textField(state.input, "name").trim(), audited(state, "app_renamed")),
    done: "renamed",
  },
  rotate: {
    confirmation: rotateConfirmation,
    run: (state, { id }) => state.apps.rotate(id, audited(state, "app_secret_replaced")),
    done: "rotated",
  },
  remove: {
    confirmation: removeAppConfirmation,
    run: async (state, { id }) => {
      const result = await state.apps.remove(id, audited(state, "app_removed"));
      if (result.ok) state.appStatuses.forget(id);
      return result;
    },
    done: "removed",
  },
};

/** Changes an app, or shows its secret, which is in the answer and nowhere else. */
export const handler = define.handlers({
  GET: (ctx) => ctx.redirect(href("/admin/settings/connect"), 303),
  async POST(ctx) {
    const { state, params } = ctx;
    const app = state.apps.find(params.id);
    if (!app) throw new HttpError(404, text`This app no longer exists.`);
    if (params.action === "secret") return await revealed(ctx, app);
    if (!Object.hasOwn(actions, params.action)) throw new HttpError(404);
    return await changed(ctx, app, actions[params.action]);
  },
});

async function revealed(ctx: Context<State>, app: AppView) {
  await audit(ctx.state, "app_secret_shown", app);
  ctx.state.title = text`Connect & apps`;
  return page(await connectView(ctx.state, ctx.url, app, { isRevealed: true }));
}

async function changed(ctx: Context<State>, app: AppView, { confirmation, run, done }: Action) {
  const { state } = ctx;
  const back = `/admin/settings/connect?app=${encodeURIComponent(app.id)}`;
  const question = confirmation &&
    await requireConfirmation(ctx, confirmation(app), { fields: [], back });
  if (question) return question;
  const result = await run(state, app);
  if (result.ok) {
    const to = done === "removed" ? "/admin/settings/connect?" : `${back}&`;
    return ctx.redirect(href(`${to}done=${done}`), 303);
  }
  const status = result.reason === "unknown"
    ? STATUS_CODE.NotFound
    : STATUS_CODE.UnprocessableEntity;
  if (wantsJson(ctx.req)) return refuse(status, result.reason, result.message);
  if (result.reason !== "invalid") throw new HttpError(status, result.message);
  state.title = text`Connect & apps`;
  const refused: ConnectView["refused"] = {
    form: "rename",
    name: textField(state.input, "name"),
    error: result.message,
  };
  return page(await connectView(state, ctx.url, app, { refused }), { status });
}

export default define.page<typeof handler>(({ data, state }) => (
  <ConnectPage
    csrfToken={state.csrfToken}
    view={data}
    secret={data.isRevealed
      ? <CopyField id="app-secret" label={text`Secret`} text={data.connection.secret} />
      : undefined}
    status={<AppStatus settings={data.settings} appId={data.app.id} first={data.status} />}
    guides={<ConnectGuides guides={data.guides} />}
  />
));
