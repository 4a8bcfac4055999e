import { appsPage } from "./apps_page.ts";
import { envExample } from "./env_example.ts";
import { settingsPage } from "./settings_page.ts";

/** Every generated file, and what makes its text. */
export const documents: Record<string, () => string | Promise<string>> = {
  ".env.example": envExample,
  "docs/apps.md": appsPage,
  "docs/settings.md": settingsPage,
};
