import { usesExternalServer } from "../config/client_settings.ts";
import { alertInput } from "./alert_input.ts";
import type { SentAlert } from "../components/settings/AlertCard.tsx";
import type { RefusedName } from "../components/wallboard/WallboardsCard.tsx";
import type { State } from "../state.ts";
import { accountsById } from "../online/accounts_by_id.ts";
import type { SettingsView } from "../components/settings/SettingsPage.tsx";

/** The data of the settings page, with the outcome of a form that was submitted. */
export async function settingsView(
  { accounts, config, checks, embeds, thresholdAlert, wallboards }: State,
  sent: {
    done?: string;
    refusedName?: RefusedName;
    refusedEmbed?: RefusedName;
    /** The form of the alert, when it was refused or a test was sent. */
    alert?: SentAlert;
  } = {},
): Promise<SettingsView> {
  const links = await wallboards.list();
  const { state, view } = thresholdAlert;
  const creators = await accountsById(
    (ids) => accounts.findAll(ids),
    [...links, ...embeds.list].map(({ createdBy }) => createdBy),
  );
  const withCreator = <Made extends { createdBy: string }>(made: Made) => ({
    ...made,
    creator: creators.get(made.createdBy)?.name ?? null,
  });
  return {
    usesExternalServer: usesExternalServer(config.pusher),
    address: { address: checks.address, report: checks.latest },
    alert: {
      isSet: state !== null,
      view,
      input: alertInput(state?.setting),
      ...sent.alert,
      crossings: state?.crossings ?? [],
    },
    links: links.map(withCreator),
    refusedName: sent.refusedName,
    embeds: embeds.list.map(withCreator),
    refusedEmbed: sent.refusedEmbed,
    done: sent.done ?? "",
  };
}
