import type { ComponentChildren } from "preact";
import { Logo } from "../page/Logo.tsx";

/** The document around a page of the documents on a site of their own, of files that no server of Rollcall answers. */
export function DocsSite({ title, description, address, children }: {
  title: string;
  description: string;
  /** The public address of the page. */
  address: string;
  children: ComponentChildren;
}) {
  return (
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta
          http-equiv="Content-Security-Policy"
          content="default-src 'self'; font-src data:; base-uri 'none'; form-action 'none'"
        />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="color-scheme" content="light dark" />
        <title>{`${title} · Rollcall`}</title>
        <meta name="description" content={description} />
        <link rel="canonical" href={address} />
        <link rel="icon" type="image/svg+xml" href="icon.svg" />
        <link rel="stylesheet" href="pages.css" />
      </head>
      <body class="wide">
        <a class="button skip" href="#app">Skip to content</a>
        <header class="site-header">
          <a class="brand" href="index.html">
            <Logo />
            <span class="brand-name">Rollcall</span>
          </a>
        </header>
        <main>
          <div id="app" tabIndex={-1}>{children}</div>
        </main>
        <footer class="site-footer" />
      </body>
    </html>
  );
}
