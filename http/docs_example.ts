import { usesExternalServer } from "@/server/config/client_options.ts";
import { connectionAt } from "@/server/apps/app_connection.ts";
import type { DocsPage } from "@/shared/docs.ts";
import { may } from "@/shared/permissions.ts";
import { escapeHtml } from "@/shared/text.ts";
import type { State } from "./state.ts";

/** The groups whose code is for the reader's app. That of others is for machines that the server may not know. */
const groups = ["Start", "Connect your app", "Migrate"];

/** What the documents write for an app of their reader. */
const example = { id: "48213", key: "a-key-of-your-own", host: "rollcall.example.com" };

/** What the code of a page is filled in with. */
export interface FilledPage {
  html: string;
  /** The name of the app; null where the page shows the example. */
  app: string | null;
}

/**
 * The HTML of a page, in whose code an admin finds the address, ID and key of the installation's own app. The
 * secret is never among them: it is on the page that connects an app.
 */
export function filledPage({ session, apps, config }: State, page: DocsPage): FilledPage {
  const app = apps.list().find(({ isOwn }) => isOwn);
  const isFor = may(session?.user.role, "manage") && groups.includes(page.group);
  const isHere = !usesExternalServer(config.pusher);
  const values = isFor && isHere && app ? connectionAt(app, null, config.appUrl) : null;
  if (!app || !values || !isPlain(values.key) || !isPlain(values.id)) {
    return { html: page.html, app: null };
  }
  const { scheme, port, host, path } = values;
  const isUsual = scheme === "https" && port === 443;
  const fill = (code: string) => {
    const filled = code
      .replaceAll(`https://${example.host}`, escapeHtml(originOf(values) + path))
      .replaceAll(example.host, escapeHtml(host))
      .replace(new RegExp(`\\b${example.key}\\b`, "g"), values.key)
      .replace(new RegExp(`\\b${example.id}\\b`, "g"), values.id);
    if (isUsual) return filled;
    return filled.replace(/(?<=^(?:REVERB|PUSHER)_PORT=)443$/gm, String(port))
      .replace(/(?<=^(?:REVERB|PUSHER)_SCHEME=)https$/gm, scheme)
      .replace(/(?<=\bwss?Port: )(?:80|443)\b/g, String(port))
      .replace(/(?<=\b(?:forceTLS|useTLS): )true\b/g, String(scheme === "https"));
  };
  let isFilled = false;
  const html = page.html.replace(/(?<=<pre [^>]*><code>)[^]*?(?=<\/code>)/g, (code) => {
    const filled = fill(code);
    isFilled ||= filled !== code;
    return filled;
  });
  return { html, app: isFilled ? app.name : null };
}

function originOf({ scheme, host, port }: { scheme: string; host: string; port: number }): string {
  const isUsual = port === (scheme === "https" ? 443 : 80);
  return `${scheme}://${host}${isUsual ? "" : `:${port}`}`;
}

/** Whether it stands in code without quotes of its own; what is not, is on the page that connects an app. */
function isPlain(text: string): boolean {
  return /^[\w.-]+$/.test(text);
}
