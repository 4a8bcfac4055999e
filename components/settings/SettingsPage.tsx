import type { ComponentChildren } from "preact";
import type { SettingsView } from "../../http/settings_view.ts";
import { AddressCard } from "./AddressCard.tsx";
import { AlertCard } from "./AlertCard.tsx";
import { Notice } from "../frame/Notice.tsx";
import { WallboardsCard } from "./WallboardsCard.tsx";

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
