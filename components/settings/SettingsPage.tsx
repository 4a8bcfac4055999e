import { Notice } from "../page/fields.tsx";
import { href } from "@/shared/address.ts";
import { docsPath } from "@/shared/docs.ts";
import type { Report } from "@/server/check/run_check.ts";
import { Card, Time } from "../page/elements.tsx";
import { CheckForm } from "../check/CheckPage.tsx";
import type { ComponentChildren } from "preact";
import { AlertCard, type ShownAlert } from "../alert/AlertCard.tsx";
import { type EmbedRow, EmbedsCard } from "../embed/EmbedsCard.tsx";
import type { RefusedName } from "./LinksCard.tsx";
import { MailCard, type MailView } from "./MailCard.tsx";
import { type SiteTagRow, SiteTagsCard } from "../site/SiteTags.tsx";
import { type LinkRow, WallboardsCard } from "../wallboard/WallboardsCard.tsx";

/** The public URL, and the result of the last connection check. */
function AddressCard({ csrfToken, address, report }: {
  csrfToken: string;
  address: string;
  /** The report of the last check; null before the first one. */
  report: Report | null;
}) {
  return (
    <Card id="address" title="Public URL">
      <p class="anywhere">{address}</p>
      {report && (
        <p class="soft">
          <a href={href("/admin/settings/check")}>Last checked</a> <Time at={report.at} />:{" "}
          {report.summary}
        </p>
      )}
      <CheckForm csrfToken={csrfToken} label="Run check" />
    </Card>
  );
}

function ApiCard() {
  return (
    <Card id="api" title="API">
      <p class="soft">
        Other programs can read how many are online, and who, with a token:{" "}
        <a href={href(docsPath("api", "calls"))}>the calls</a>.
      </p>
      <p>
        <a class="button button-quiet" href={href("/admin/settings/api")}>API and tokens</a>
      </p>
    </Card>
  );
}

/** The settings that admins can change while the server runs. */
export function SettingsPage({ csrfToken, view, madeLink }: {
  csrfToken: string;
  view: SettingsView;
  /** The address of a wallboard link that was just created. */
  madeLink?: ComponentChildren;
}) {
  const { address, alert, done, usesExternalServer, links, refusedName, embeds } = view;
  if (usesExternalServer) {
    return (
      <>
        <h1>Settings</h1>
        <Notice tone="warning">
          Alerts, wallboards, embeds, site tags and the API aren't available with an external Pusher
          server.
        </Notice>
        <UntrustedProxyNotice peer={view.untrustedProxy} />
        <MailCard csrfToken={csrfToken} view={view.mail} />
        <AddressCard csrfToken={csrfToken} {...address} />
      </>
    );
  }
  return (
    <>
      <h1>Settings</h1>
      <UntrustedProxyNotice peer={view.untrustedProxy} />
      {done && <Notice tone="success">{done}</Notice>}
      <AlertCard csrfToken={csrfToken} {...alert} />
      <WallboardsCard csrfToken={csrfToken} links={links} refused={refusedName} made={madeLink} />
      <EmbedsCard csrfToken={csrfToken} embeds={embeds} refused={view.refusedEmbed} />
      <SiteTagsCard csrfToken={csrfToken} tags={view.siteTags} refused={view.refusedSiteTag} />
      <ApiCard />
      <MailCard csrfToken={csrfToken} view={view.mail} />
      <AddressCard csrfToken={csrfToken} {...address} />
    </>
  );
}

function UntrustedProxyNotice({ peer }: { peer: string | null }) {
  if (peer === null) return null;
  return (
    <Notice tone="warning">
      A request came from {peer}{" "}
      through a proxy that isn't in TRUSTED_PROXIES. If it is your proxy, add its address: until
      then all its visitors count as one, and one can lock out the others.{" "}
      <a href={href(docsPath("proxies", "client-addresses"))}>Which addresses</a>
    </Notice>
  );
}

/** What the settings page shows. */
export interface SettingsView {
  /** Whether the pages connect to an external Pusher server. */
  usesExternalServer: boolean;
  /** The address of a proxy that is not in `TRUSTED_PROXIES`; null when none was seen. */
  untrustedProxy: string | null;
  address: { address: string; report: Report | null };
  alert: ShownAlert;
  /** Null: no mail server is set. */
  mail: MailView | null;
  links: LinkRow[];
  refusedName?: RefusedName;
  embeds: EmbedRow[];
  refusedEmbed?: RefusedName;
  siteTags: SiteTagRow[];
  refusedSiteTag?: RefusedName;
  /** The result of the last action, as a sentence; empty for none. */
  done: string;
}
