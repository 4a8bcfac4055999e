import { protocolDocument } from "@/tests/conformance/document.ts";
import { appsPage, migratePage } from "./app_pages.ts";
import { envExample } from "./env_example.ts";
import { limitsPage } from "./limits.ts";
import { numberFont } from "./number_font.ts";
import { settingsPage } from "./settings_page.ts";

/** Every generated file, and what makes its text. */
export const documents: Record<string, () => string | Promise<string>> = {
  ".env.example": envExample,
  "docs/apps.md": appsPage,
  "docs/internals/protocol.md": protocolDocument,
  "docs/limits.md": limitsPage,
  "docs/migrate.md": migratePage,
  "docs/settings.md": settingsPage,
  "shared/number_font.ts": numberFont,
};
