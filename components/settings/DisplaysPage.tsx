import type { ComponentChildren } from "preact";
import { type EmbedRow, EmbedsCard } from "../embed/EmbedsCard.tsx";
import { Notice } from "../page/fields.tsx";
import { type LinkRow, WallboardsCard } from "../wallboard/WallboardsCard.tsx";
import type { RefusedName } from "./LinksCard.tsx";
import { ExternalServerNotice } from "./SettingsFrame.tsx";
import { text } from "@/shared/language.ts";

/** What the page of the displays shows. */
export interface DisplaysView {
  /** Whether the pages connect to an external Pusher server. */
  usesExternalServer: boolean;
  links: LinkRow[];
  refusedName?: RefusedName;
  embeds: EmbedRow[];
  refusedEmbed?: RefusedName;
  /** The result of the last action, as a sentence; empty for none. */
  done: string;
}

/** Where the number is shown elsewhere: wallboards and embeds. */
export function DisplaysPage({ csrfToken, view, madeLink }: {
  csrfToken: string;
  view: DisplaysView;
  /** The address of a wallboard link that was just created. */
  madeLink?: ComponentChildren;
}) {
  const { done, embeds, links, refusedEmbed, refusedName, usesExternalServer } = view;
  return (
    <>
      <h1>{text`Displays`}</h1>
      {done && <Notice tone="success">{done}</Notice>}
      {usesExternalServer ? <ExternalServerNotice of={text`Wallboards and embeds`} /> : (
        <>
          <WallboardsCard
            csrfToken={csrfToken}
            links={links}
            refused={refusedName}
            made={madeLink}
          />
          <EmbedsCard csrfToken={csrfToken} embeds={embeds} refused={refusedEmbed} />
        </>
      )}
    </>
  );
}
