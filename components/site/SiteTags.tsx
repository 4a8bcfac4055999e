import { docsPath } from "@/shared/docs.ts";
import type { ComponentChildren } from "preact";
import { href } from "@/shared/address.ts";
import { mostSiteTags } from "@/shared/limits.ts";
import type { SiteTag, SiteTagSettings } from "@/server/site/stored_site_tags.ts";
import { Button, Notice } from "../page/fields.tsx";
import { Link } from "../page/links.tsx";
import { sections } from "../page/navigation.ts";
import { ExternalServerNotice } from "../settings/SettingsFrame.tsx";
import { Card, CsrfField } from "../page/elements.tsx";
import type { Confirmation } from "../page/ConfirmPage.tsx";
import { LinksCard, LinksTable, type RefusedName } from "../settings/LinksCard.tsx";
import { type LinkForm, LinkNameField, LinkPage, OriginsField } from "../settings/LinkPage.tsx";
import { text } from "@/shared/language.ts";
import { longText } from "@/shared/long_text.ts";
import { countText } from "@/shared/text.ts";

/** A site tag with the name of its creator. */
export interface SiteTagRow extends SiteTag {
  /** The name of the creator; null when that user was deleted. */
  creator: string | null;
}

/** What the page of the site tags shows. */
export interface SiteTagsView {
  /** Whether the pages connect to an external Pusher server. */
  usesExternalServer: boolean;
  tags: SiteTagRow[];
  refused?: RefusedName;
  /** The result of the last action, as a sentence; empty for none. */
  done: string;
}

/** The page of the site tags. */
export function SiteTagsPage({ csrfToken, view }: { csrfToken: string; view: SiteTagsView }) {
  const { done, refused, tags, usesExternalServer } = view;
  return (
    <>
      <p>
        <Link path={sections.connect.path}>{longText(sections.connect.label)}</Link>
      </p>
      <h1>{text`Site tags`}</h1>
      {done && <Notice tone="success">{done}</Notice>}
      {usesExternalServer
        ? <ExternalServerNotice of="Site tags" />
        : <SiteTagsCard csrfToken={csrfToken} tags={tags} refused={refused} />}
    </>
  );
}

/** The site tags, and the form that creates one. */
function SiteTagsCard({ csrfToken, tags, refused }: {
  csrfToken: string;
  tags: SiteTagRow[];
  refused?: RefusedName;
}) {
  return (
    <LinksCard
      {...{ csrfToken, refused }}
      id="sites"
      title={text`Tags`}
      words={{
        most: countText(mostSiteTags, "site tag"),
        create: text`Create site tag`,
        none: text`No site tags yet.`,
      }}
      count={tags.length}
      about={longText(
        "A script that counts the visitors to another site as guests. The site needs no ",
        "server of its own, and no cookie is set.",
      )}
      help={docsPath("site-tag")}
      field={{ id: "site-tag-name", label: text`Site`, example: text`Blog` }}
    >
      <LinksTable
        links={tags}
        aboutOf={({ origins }) => origins[0] ?? text`no origins yet`}
        actionOf={({ id, name }) => (
          <a class="button button-quiet" href={href(`/admin/settings/sites/${id}`)}>
            {text`Open`} <span class="visually-hidden">{name}</span>
          </a>
        )}
      />
    </LinksCard>
  );
}

/** The confirmation of revoking a site tag. */
export function revokeConfirmation({ name }: { name: string }): Confirmation {
  return {
    question: text`Revoke ${name}?`,
    text: text`Visitors to the site stop being counted immediately. This can't be undone.`,
    action: text`Revoke site tag`,
    danger: true,
  };
}

/** What the page of a site tag shows. */
export type SiteTagView = LinkForm<keyof SiteTagSettings>;

/** A site tag: the origins whose visitors are counted, and the code to copy. */
export function SiteTagPage({ csrfToken, view, code }: {
  csrfToken: string;
  view: SiteTagView;
  /** The blocks of code: an island, as they can be copied. */
  code: ComponentChildren;
}) {
  const path = `/admin/settings/sites/${view.id}`;
  const back = { path: "/admin/settings/sites", label: text`Site tags` };
  const removal = {
    title: text`Revoke`,
    id: "site-revoke",
    path: `${path}/revoke`,
    about: text`The tag stops counting for good. Create another one to count again.`,
    confirmation: revokeConfirmation(view),
  };
  return (
    <LinkPage title={view.name} done={view.done} {...{ back, csrfToken, removal }}>
      <Card id="site-settings" title={text`Settings`}>
        <form class="form columns" method="post" action={href(path)}>
          <CsrfField csrfToken={csrfToken} />
          <LinkNameField id="site-name" view={view} />
          <OriginsField
            id="site-origins"
            label={text`Origins whose visitors are counted`}
            hint={text`One per line. Without any, no one is counted.`}
            view={view}
          />
          <div class="whole">
            <Button>{text`Save site tag`}</Button>
          </div>
        </form>
      </Card>
      <Card id="site-code" title={text`Put it on your site`}>
        {code}
      </Card>
    </LinkPage>
  );
}
