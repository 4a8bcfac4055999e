import type { ComponentChildren } from "preact";
import { HealthFacts } from "../health/ServerHealth.tsx";
import type { Health } from "@/shared/servers.ts";
import { Notice } from "../page/fields.tsx";
import { href } from "@/shared/address.ts";
import { docsPath } from "@/shared/docs.ts";
import type { Report } from "@/server/check/run_check.ts";
import type { GivenSetting } from "@/server/config/config.ts";
import { Card, TableHead, Time } from "../page/elements.tsx";
import { CheckForm } from "../check/CheckPage.tsx";
import { MailCard, type MailView } from "./MailCard.tsx";
import { text } from "@/shared/language.ts";
import { richText } from "@/shared/long_text.ts";

/** What the page of the server shows. */
export interface ServerView {
  /** The address of a proxy that is not in `TRUSTED_PROXIES`; null when none was seen. */
  untrustedProxy: string | null;
  address: {
    address: string;
    /** The report of the last check; null before the first one. */
    report: Report | null;
  };
  /** Null: no mail server is set. */
  mail: MailView | null;
  /** Null with an external Pusher server. */
  health: Health | null;
  /** Those that are given. */
  settings: readonly GivenSetting[];
}

/** The server: how it fares, its address, its email, and what is wrong around it. */
export function ServerPage({ csrfToken, view, servers }: {
  csrfToken: string;
  view: ServerView;
  /** How several servers fare: an island, as it is live. */
  servers?: ComponentChildren;
}) {
  return (
    <>
      <h1>{text`Server`}</h1>
      <UntrustedProxyNotice peer={view.untrustedProxy} />
      {view.health && (
        <Card id="health" title={text`Health`}>
          <HealthFacts health={view.health} />
        </Card>
      )}
      {servers}
      <AddressCard csrfToken={csrfToken} {...view.address} />
      <MailCard csrfToken={csrfToken} view={view.mail} />
      <SettingsCard settings={view.settings} />
    </>
  );
}

/** The public address, and the result of the last check. */
function AddressCard(
  { csrfToken, address, report }: ServerView["address"] & { csrfToken: string },
) {
  return (
    <Card id="address" title={text`Public URL`}>
      <p class="anywhere">{address}</p>
      {report && (
        <p class="soft">
          <a href={href("/admin/settings/check")}>{text`Last checked`}</a> <Time at={report.at} />:
          {" "}
          {report.summary}
        </p>
      )}
      <CheckForm csrfToken={csrfToken} label={text`Run check`} />
    </Card>
  );
}

/** What the environment sets. Of a secret, only that it is set is known here. */
function SettingsCard({ settings }: { settings: readonly GivenSetting[] }) {
  return (
    <Card id="settings" title={text`Settings`}>
      <p class="soft">
        {richText`Read when the server starts, from environment variables and a file ${(
          <code>.env</code>
        )}. What is not listed has its ${<a href={href(docsPath("settings"))}>{text`default`}
        </a>}.`}
      </p>
      {settings.length === 0 ? <p>{text`No setting is given.`}</p> : (
        <table class="table">
          <TableHead columns={[text`Setting`, text`Value`, text`From`]} />
          <tbody>
            {settings.map(({ name, value, from }) => (
              <tr key={name}>
                <th scope="row">
                  <code>{name}</code>
                </th>
                <td class="anywhere">{value ?? <span class="soft">{text`set, secret`}</span>}</td>
                <td>{from === "environment" ? text`environment` : from}</td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
    </Card>
  );
}

function UntrustedProxyNotice({ peer }: { peer: string | null }) {
  if (peer === null) return null;
  return (
    <Notice tone="warning">
      {richText`A request came from ${peer} through a proxy that isn't in TRUSTED_PROXIES. If it is your proxy, add its address: until then all its visitors count as one, and one can lock out the others. ${(
        <a href={href(docsPath("proxies", "client-addresses"))}>{text`Which addresses`}</a>
      )}`}
    </Notice>
  );
}
