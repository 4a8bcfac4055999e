import { protocolDocument } from "@/tests/conformance/document.ts";
import { appsPage, reverbPage, soketiPage } from "./app_pages.ts";
import { envExample } from "./env_example.ts";
import { limitsPage } from "./limits.ts";
import { settingsPage } from "./settings_page.ts";

/** Every generated file, and what makes its text. */
export const documents: Record<string, () => string | Promise<string>> = {
  ".env.example": envExample,
  "docs/apps.md": appsPage,
  "docs/from-reverb.md": reverbPage,
  "docs/from-soketi.md": soketiPage,
  "docs/internals/protocol.md": protocolDocument,
  "docs/limits.md": limitsPage,
  "docs/settings.md": settingsPage,
};
