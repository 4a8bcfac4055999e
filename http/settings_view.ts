import { usesExternalServer } from "../config/client_settings.ts";
import type { AlertInput, AlertRefusal } from "../components/settings/AlertCard.tsx";
import type { RefusedName } from "../components/wallboard/WallboardsCard.tsx";
import type { State } from "../state.ts";
import type { AlertSetting } from "../online/alert/alert.ts";
import { accountsById } from "../online/accounts_by_id.ts";
import type { SettingsView } from "../components/settings/SettingsPage.tsx";

/** The data of the settings page, with the outcome of a form that was submitted. */
export async function settingsView(
  { accounts, config, checks, thresholdAlert, wallboards }: State,
  sent: {
    done?: string;
    refusedName?: RefusedName;
    refusedAlert?: { input: AlertInput; refusal: AlertRefusal };
  } = {},
): Promise<SettingsView> {
  const [alert, links] = [await thresholdAlert.read(), await wallboards.list()];
  const creators = await accountsById(
    (ids) => accounts.findAll(ids),
    links.map(({ createdBy }) => createdBy),
  );
  return {
    usesExternalServer: usesExternalServer(config.pusher),
    address: { address: checks.address, report: checks.latest },
    alert: {
      input: alertInput(alert?.setting),
      ...sent.refusedAlert,
      crossings: alert?.crossings ?? [],
    },
    links: links.map((link) => ({ ...link, creator: creators.get(link.createdBy)?.name ?? null })),
    refusedName: sent.refusedName,
    done: sent.done ?? "",
  };
}

function alertInput(setting: AlertSetting | undefined): AlertInput {
  return {
    enabled: setting?.enabled ?? true,
    users: String(setting?.users ?? 10),
    direction: setting?.direction ?? "up",
    webhookUrl: setting?.webhookUrl ?? "",
  };
}
