import type { ComponentChildren } from "preact";
import { asset } from "fresh/runtime";
import { href, statedBasePath } from "@/shared/address.ts";
import { Footer } from "./Footer.tsx";
import { Header, type Viewer } from "./Header.tsx";

/**
 * The document around a page: head, header, footer, and `<div id="app">` with the page itself. The head
 * has what the page's requests need.
 */
export function Shell({
  title,
  csrfToken,
  viewer,
  path,
  isWide,
  scripts,
  footer,
  behaviour,
  children,
}: {
  /** The title of the page, without the name of the app. */
  title: string;
  /** The CSRF token of this visitor. */
  csrfToken: string;
  /** `null` when signed out. */
  viewer: Viewer | null;
  /** The path of the page, to mark it in the navigation. */
  path: string;
  /** Whether the page takes the width of a wide screen. */
  isWide?: boolean;
  /** The paths of scripts to load with the page, which the scripts that it names import. */
  scripts?: readonly string[];
  /** The first content of the footer. */
  footer?: ComponentChildren;
  /** Islands that render nothing and make the markup work. */
  behaviour?: ComponentChildren;
  children: ComponentChildren;
}) {
  return (
    <html lang="en" data-base-path={statedBasePath()}>
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="color-scheme" content="light dark" />
        <meta name="csrf-token" content={csrfToken} />
        <title>{`${title} · Rollcall`}</title>
        <link
          rel="icon"
          type="image/svg+xml"
          href={href(asset("/icon.svg"))}
          data-quiet={href(asset("/icon-quiet.svg"))}
        />
        <link rel="stylesheet" href={href(asset("/pages.css"))} />
        {scripts?.map((path) => <link key={path} rel="modulepreload" href={href(path)} />)}
      </head>
      <body class={isWide ? "wide" : undefined}>
        <a class="skip" href="#app">Skip to content</a>
        <Header viewer={viewer} path={path} csrfToken={csrfToken} />
        <main>
          <div id="app" tabIndex={-1}>{children}</div>
        </main>
        <Footer>{footer}</Footer>
        {behaviour}
      </body>
    </html>
  );
}
