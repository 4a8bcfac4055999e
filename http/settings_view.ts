import { isHosted } from "../config/client_settings.ts";
import type { AlertInput, AlertRefusal } from "../components/settings/AlertCard.tsx";
import type { RefusedName } from "../components/settings/WallboardsCard.tsx";
import type { State } from "../state.ts";
import type { AlertSetting } from "../online/alert/alert.ts";
import type { SettingsView } from "../components/settings/SettingsPage.tsx";

/** The present settings, and the result of a form that was sent. */
export async function settingsView(
  { accounts, config, checks, thresholdAlert, wallboards }: State,
  sent: {
    done?: string;
    refusedName?: RefusedName;
    refusedAlert?: { input: AlertInput; refusal: AlertRefusal };
  } = {},
): Promise<SettingsView> {
  const [alert, links] = [await thresholdAlert.read(), await wallboards.list()];
  const creators = await accounts.findAll([...new Set(links.map(({ createdBy }) => createdBy))]);
  const names = new Map(creators.map(({ id, name }) => [id, name]));
  return {
    isHosted: isHosted(config.pusher),
    address: { address: checks.address, report: checks.latest },
    alert: {
      input: alertInput(alert?.setting),
      ...sent.refusedAlert,
      crossings: alert?.crossings ?? [],
    },
    links: links.map((link) => ({ ...link, creator: names.get(link.createdBy) ?? null })),
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
