import { STATUS_CODE } from "@std/http/status";
import { page } from "fresh";
import { ApiPage, type ApiView } from "@/components/api/ApiPage.tsx";
import type { RefusedName } from "@/components/settings/LinksCard.tsx";
import { countedChannel, countedNames } from "@/http/counted_view.ts";
import { refuse, wantsJson } from "@/http/rejection.ts";
import { publicOrigin, textField } from "@/http/request.ts";
import { define, type State } from "@/http/state.ts";
import ConnectGuides from "@/islands/ConnectGuides.tsx";
import CopyField from "@/islands/CopyField.tsx";
import { audited } from "@/server/audit/audit.ts";
import { apiGuides } from "@/server/api/api_examples.ts";
import { apiTokenDetails } from "@/server/api/api_tokens.ts";
import { commandLine } from "@/shared/audit.ts";
import { accountsById } from "@/server/presence/identity.ts";
import { text } from "@/shared/language.ts";
import { longText, richText } from "@/shared/long_text.ts";

/** The API: its tokens, and its calls. A new token is in the answer and nowhere else, so that is no redirect. */
export const handler = define.handlers({
  async GET(ctx) {
    const done = ctx.url.searchParams.get("done") === "revoked" ? text`Token revoked.` : "";
    const view = await apiView(ctx.state, { done });
    return page({ made: null, view, guides: guidesFor(ctx.state, ctx.url) });
  },
  async POST(ctx) {
    const { state } = ctx;
    const { app, channel } = limitsOf(state, textField(state.input, "channel"));
    const name = textField(state.input, "name").trim();
    const scope = textField(state.input, "scope");
    const createdBy = state.session?.user.id ?? "";
    const created = await state.apiTokens.create(
      { name, scope, app, channel, createdBy },
      audited(state, "api_token_created", apiTokenDetails({ scope, app, channel })),
    );
    const status = created.ok ? STATUS_CODE.Created : STATUS_CODE.UnprocessableEntity;
    if (!created.ok && wantsJson(ctx.req)) return refuse(status, created.reason, created.message);
    const made = created.ok ? { name, text: created.text } : null;
    const refusedName = created.ok ? undefined : { name, error: created.message };
    const view = await apiView(state, { refusedName });
    return page({ made, view, guides: guidesFor(state, ctx.url) }, { status });
  },
});

function guidesFor({ config }: State, url: URL) {
  return apiGuides(publicOrigin(config, url) + config.basePath);
}

/** The app and the channel of a counted channel's key; of all, for none. */
function limitsOf(state: State, key: string): { app: string | null; channel: string | null } {
  if (key === "") return { app: null, channel: null };
  const { appId: app, channel } = countedChannel(state, key);
  return { app, channel };
}

async function apiView(
  state: State,
  sent: { done?: string; refusedName?: RefusedName },
): Promise<ApiView> {
  state.title = "API";
  const tokens = await state.apiTokens.list();
  const creators = await accountsById(
    (ids) => state.accounts.findAll(ids),
    tokens.map(({ createdBy }) => createdBy),
  );
  return {
    tokens: tokens.map((token) => ({
      ...token,
      creator: token.createdBy === commandLine.id
        ? longText(commandLine.name)
        : creators.get(token.createdBy)?.name ?? null,
    })),
    channels: countedNames(state),
    done: "",
    ...sent,
  };
}

export default define.page<typeof handler>(({ data: { made, view, guides }, state }) => (
  <ApiPage
    csrfToken={state.csrfToken}
    view={view}
    made={made && (
      <>
        <p>
          {richText`${<b>{made.name}</b>} is ready. Copy the token now; it won't be shown again.`}
        </p>
        <CopyField id="api-token" label={text`Token of ${made.name}`} text={made.text} />
      </>
    )}
    calls={<ConnectGuides guides={guides} />}
  />
));
