import type { ComponentChildren } from "preact";

/** The end of every page. */
export function Footer({ children }: { children?: ComponentChildren }) {
  return (
    <footer class="site-footer">
      {children}
      <noscript>
        <p class="notice notice-warning">
          Without JavaScript the number does not move. Load the page again to see the present one.
        </p>
      </noscript>
      <p>Rollcall tells who is online, live and right.</p>
    </footer>
  );
}
