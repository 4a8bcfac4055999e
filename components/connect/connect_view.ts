import type { AppView } from "@/server/apps/app_registry.ts";
import type { ClientSettings } from "@/shared/client_settings.ts";
import type { AppStatus } from "@/shared/app_status.ts";
import type { AppConnection, Guide } from "@/shared/connect.ts";

/** What the page shows that connects an app. */
export interface ConnectView {
  apps: AppView[];
  /** The app that is shown. */
  app: AppView;
  /** Whether the apps are those of a list in the settings. */
  isReadOnly: boolean;
  /** The addresses to choose from, with the paths of their pages. */
  addresses: { id: string; label: string; path: string; isCurrent: boolean }[];
  connection: AppConnection;
  /** Whether the connection has the secret. */
  isRevealed: boolean;
  guides: Guide[];
  status: AppStatus;
  settings: ClientSettings;
  /** The result of the last action, as a sentence; empty for none. */
  done: string;
  /** A form that was refused. */
  refused?: { form: "add" | "rename"; name: string; error: string };
}
