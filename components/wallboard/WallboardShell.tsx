import type { ComponentChildren } from "preact";
import { asset } from "fresh/runtime";
import { href, statedBasePath } from "@/shared/address.ts";
import { reader, text } from "@/shared/language.ts";
import { LanguageScript } from "../page/Shell.tsx";

/** How often the page reloads itself without script, in seconds. */
const reloadSeconds = 10;

/** The document of a wallboard, without header, footer and links. */
export function WallboardShell(
  { csrfToken, children }: { csrfToken: string; children: ComponentChildren },
) {
  const { language } = reader;
  return (
    <html lang={language?.tag ?? "en"} dir={language?.direction} data-base-path={statedBasePath()}>
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="color-scheme" content="light dark" />
        <meta name="robots" content="noindex, nofollow" />
        <meta name="csrf-token" content={csrfToken} />
        <title>{`${text`Wallboard`} · Rollcall`}</title>
        <link rel="icon" href={href(asset("/icon.svg"))} type="image/svg+xml" />
        <link rel="stylesheet" href={href(asset("/wallboards.css"))} />
        <LanguageScript path="/wallboard" />
        <noscript>
          <meta http-equiv="refresh" content={String(reloadSeconds)} />
        </noscript>
      </head>
      <body class="wallboard-page">{children}</body>
    </html>
  );
}

/** The message for a link that does not work. It does not say whether the link ever existed. */
export function unknownMessage() {
  return {
    title: text`Wallboard not found`,
    reason: text`This link is invalid or has been revoked. Ask an admin for a new one.`,
  };
}

/** The message for a link that was revoked while the wallboard was shown. */
export function revokedMessage() {
  return {
    title: text`This link has been revoked`,
    reason: text`Ask an admin for a new one.`,
  };
}

/** The message that a wallboard shows instead of a number. */
export function WallboardMessage({ title, reason }: { title: string; reason: string }) {
  return (
    <main class="wallboard wallboard-message">
      <h1>{title}</h1>
      <p>{reason}</p>
    </main>
  );
}
