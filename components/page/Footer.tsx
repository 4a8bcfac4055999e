import type { ComponentChildren } from "preact";

/** The footer of every page. */
export function Footer({ children }: { children?: ComponentChildren }) {
  return (
    <footer class="site-footer">
      {children}
      <noscript>
        <p class="notice notice-warning">
          JavaScript is off, so this number won't update. Reload to see the current count.
        </p>
      </noscript>
    </footer>
  );
}
