import { docsPath } from "@/shared/docs.ts";
import type { ComponentChildren } from "preact";
import { apiPath, type ApiScope, apiScopes } from "@/shared/api.ts";
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
import { text } from "@/shared/language.ts";
import { longText, richText } from "@/shared/long_text.ts";
import { countText } from "@/shared/text.ts";

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
    question: text`Revoke ${name}?`,
    text: text`Programs that use it are refused immediately. This can't be undone.`,
    action: text`Revoke token`,
    danger: true,
  };
}

/** What a scope allows, as admins choose it. */
function scopeText(): Record<ApiScope, string> {
  return {
    count: text`Read numbers only`,
    ids: text`Read who is online, by ID`,
    names: text`Read who is online, with names and pages`,
    messages: text`Send messages only`,
    marks: text`Mark deploys in the history only`,
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
        <Link path={sections.connect.path}>{longText(sections.connect.label)}</Link>
      </p>
      <h1>API</h1>
      {view.done && <Notice tone="success">{view.done}</Notice>}
      <TokensCard csrfToken={csrfToken} view={view} made={made} />
      <Card id="calls" title={text`Calls`}>
        <p class="soft">
          {richText`Each call needs a token in the header ${(
            <code>
              Authorization
            </code>
          )}: put yours where these say ${<code>TOKEN</code>}. The ${(
            <a href={href(`${apiPath}/openapi.json`)}>{text`OpenAPI description`}</a>
          )} has every field.`}
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
      title={text`Tokens`}
      words={{
        most: countText(mostApiTokens, "token"),
        create: text`Create token`,
        none: text`No tokens yet.`,
      }}
      count={tokens.length}
      about={longText(
        "A token lets a program read, send messages, or mark deploys. It is shown once, and ",
        "can be revoked at any time.",
      )}
      help={docsPath("api", "scopes")}
      field={{ id: "token-name", label: text`Name`, example: text`Shop` }}
      choices={
        <>
          <SelectField
            id="token-scope"
            name="scope"
            label={text`Lets a program`}
            texts={Object.fromEntries(
              apiScopes.map((scope) => [scope, `${scopeText()[scope]} (${scope})`]),
            )}
            value={"count" satisfies ApiScope}
          />
          {channels && (
            <SelectField
              id="token-channel"
              name="channel"
              label={text`Of`}
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
          [scopeText()[scope], channel, app && text`app ${app}`].filter(Boolean).join(", ")}
        actionOf={(token) => (
          <form
            method="post"
            action={href(`/admin/settings/api/${token.id}/revoke`)}
            {...confirmAttributes(revokeConfirmation(token))}
          >
            <CsrfField csrfToken={csrfToken} />
            <Button kind="danger">
              {text`Revoke`} <span class="visually-hidden">{token.name}</span>
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
  ) => [key, app ? text`${channel} of ${app}` : channel]);
  return { "": text`All counted channels`, ...Object.fromEntries(named) };
}
