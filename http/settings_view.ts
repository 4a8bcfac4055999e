import { usesExternalServer } from "@/server/config/client_settings.ts";
import { countedNames } from "./counted_channel.ts";
import type { CountedChannel } from "@/server/live_view/counted_channel.ts";
import { alertInput } from "./alert_input.ts";
import type { SentAlert } from "@/components/alert/AlertCard.tsx";
import type { RefusedName } from "@/components/settings/LinksCard.tsx";
import type { State } from "./state.ts";
import { accountsById } from "@/server/presence/accounts_by_id.ts";
import type { SettingsView } from "@/components/settings/SettingsPage.tsx";

/** The data of the settings page, with the outcome of a form that was submitted. */
export async function settingsView(
  state: State,
  sent: {
    done?: string;
    refusedName?: RefusedName;
    refusedEmbed?: RefusedName;
    /** The channel whose alert is shown; default: that of the users online. */
    channel?: CountedChannel;
    /** The form of the alert, when it was refused or a test was sent. */
    alert?: SentAlert;
  } = {},
): Promise<SettingsView> {
  const { accounts, config, checks, embeds, untrustedProxy, wallboards } = state;
  const { channel = state.counted[0] } = sent;
  const links = await wallboards.list();
  const { state: stored, view } = channel.alert;
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
    untrustedProxy: untrustedProxy.peer,
    address: { address: checks.address, report: await checks.latest() },
    alert: {
      channel: channel.key,
      channels: countedNames(state),
      isSet: stored !== null,
      view,
      input: alertInput(stored?.setting),
      ...sent.alert,
      crossings: stored?.crossings ?? [],
    },
    links: links.map(withCreator),
    refusedName: sent.refusedName,
    embeds: embeds.list.map(withCreator),
    refusedEmbed: sent.refusedEmbed,
    done: sent.done ?? "",
  };
}
