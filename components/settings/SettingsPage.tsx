import type { Report } from "../../check/report.ts";
import type { Crossing } from "../../shared/alert.ts";
import type { ComponentChildren } from "preact";
import { AddressCard } from "./AddressCard.tsx";
import { AlertCard, type AlertInput, type AlertRefusal } from "./AlertCard.tsx";
import { Notice } from "../frame/Notice.tsx";
import { type LinkRow, type RefusedName, WallboardsCard } from "./WallboardsCard.tsx";

/** What an admin can set while the server runs. */
export function SettingsPage({ csrfToken, view, madeLink }: {
  csrfToken: string;
  view: SettingsView;
  /** The address of a wallboard that was just made. */
  madeLink?: ComponentChildren;
}) {
  const { address, alert, done, isHosted, links, refusedName } = view;
  if (isHosted) {
    return (
      <>
        <h1>Settings</h1>
        <Notice tone="warning">
          The users are counted by another server, so there is no alert and no wallboard here.
        </Notice>
        <AddressCard csrfToken={csrfToken} {...address} />
      </>
    );
  }
  return (
    <>
      <h1>Settings</h1>
      {done && <Notice tone="success">{done}</Notice>}
      <AlertCard csrfToken={csrfToken} {...alert} />
      <WallboardsCard csrfToken={csrfToken} links={links} refused={refusedName} made={madeLink} />
      <AddressCard csrfToken={csrfToken} {...address} />
    </>
  );
}

/** What the page of the settings shows. */
export interface SettingsView {
  /** Whether another server counts the users: then there is nothing to set here. */
  isHosted: boolean;
  address: { address: string; report: Report | null };
  alert: { input: AlertInput; refusal?: AlertRefusal; crossings: Crossing[] };
  links: LinkRow[];
  refusedName?: RefusedName;
  /** What was just done. */
  done: string;
}
