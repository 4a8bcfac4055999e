import { docsPath } from "@/shared/docs.ts";
import type { ComponentChildren } from "preact";
import { apiPath, type ApiScope, apiScopes, apiScopeText } from "@/shared/api.ts";
import type { ApiToken } from "@/server/api/api_tokens.ts";
import type { CountedName } from "@/shared/counted.ts";
import { href } from "@/shared/address.ts";
import { mostApiTokens } from "@/shared/limits.ts";
import { type Confirmation, confirmAttributes } from "../page/ConfirmPage.tsx";
import { Card, CsrfField } from "../page/elements.tsx";
import { Button, Notice, SelectField } from "../page/fields.tsx";
import { Link } from "../page/links.tsx";
import { LinksCard, LinksTable, type RefusedName } from "../settings/LinksCard.tsx";
import { sections } from "../page/navigation.ts";

/** A token with the name of its creator. */
interface ApiTokenRow extends ApiToken {
  /** The name of the creator; null when that user was deleted. */
  creator: string | null;
}

/** What the page of the API shows. */
export interface ApiView {
  tokens: ApiTokenRow[];
  /** The counted channels, where there are several. */
  channels: CountedName[] | undefined;
  refusedName?: RefusedName;
  /** The result of the last action, as a sentence; empty for none. */
  done: string;
}

/** The confirmation of revoking a token. */
export function revokeConfirmation({ name }: { name: string }): Confirmation {
  return {
    question: `Revoke ${name}?`,
    text: "Programs that use it are refused immediately. This can't be undone.",
    action: "Revoke token",
    danger: true,
  };
}

/** The tokens, and the calls with the code to copy. */
export function ApiPage({ csrfToken, view, made, calls }: {
  csrfToken: string;
  view: ApiView;
  /** A token that was just created. */
  made?: ComponentChildren;
  /** The blocks of code: an island, as they can be copied. */
  calls: ComponentChildren;
}) {
  return (
    <>
      <p>
        <Link path={sections.connect.path}>{sections.connect.label}</Link>
      </p>
      <h1>API</h1>
      {view.done && <Notice tone="success">{view.done}</Notice>}
      <TokensCard csrfToken={csrfToken} view={view} made={made} />
      <Card id="calls" title="Calls">
        <p class="soft">
          Each call needs a token in the header{" "}
          <code>Authorization</code>: put yours where these say <code>TOKEN</code>. The{" "}
          <a href={href(`${apiPath}/openapi.json`)}>OpenAPI description</a> has every field.
        </p>
        {calls}
      </Card>
    </>
  );
}

function TokensCard({ csrfToken, view: { tokens, channels, refusedName: refused }, made }: {
  csrfToken: string;
  view: ApiView;
  made?: ComponentChildren;
}) {
  return (
    <LinksCard
      {...{ csrfToken, refused, made }}
      id="api"
      title="Tokens"
      noun="token"
      count={tokens.length}
      most={mostApiTokens}
      about="A token lets a program read, send messages, or mark deploys. It is shown once, and can be revoked at any time."
      help={docsPath("api", "scopes")}
      field={{ id: "token-name", label: "Name", example: "Shop" }}
      choices={
        <>
          <SelectField
            id="token-scope"
            name="scope"
            label="Lets a program"
            texts={Object.fromEntries(
              apiScopes.map((scope) => [scope, `${apiScopeText[scope]} (${scope})`]),
            )}
            value={"count" satisfies ApiScope}
          />
          {channels && (
            <SelectField
              id="token-channel"
              name="channel"
              label="Of"
              texts={channelTexts(channels)}
              value=""
            />
          )}
        </>
      }
    >
      <LinksTable
        links={tokens}
        aboutOf={({ scope, app, channel }) =>
          [apiScopeText[scope], channel, app && `app ${app}`].filter(Boolean).join(", ")}
        actionOf={(token) => (
          <form
            method="post"
            action={href(`/admin/settings/api/${token.id}/revoke`)}
            {...confirmAttributes(revokeConfirmation(token))}
          >
            <CsrfField csrfToken={csrfToken} />
            <Button kind="danger">
              Revoke <span class="visually-hidden">{token.name}</span>
            </Button>
          </form>
        )}
      />
    </LinksCard>
  );
}

function channelTexts(channels: readonly CountedName[]): Record<string, string> {
  const named = channels.map((
    { key, channel, app },
  ) => [key, app ? `${channel} of ${app}` : channel]);
  return { "": "All counted channels", ...Object.fromEntries(named) };
}
