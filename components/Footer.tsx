/** The end of every page: what the number means. */
export function Footer() {
  return (
    <footer class="site-footer">
      <p>
        A user counts once, with however many tabs and devices. You count too, once this page is
        connected.
      </p>
      <noscript>
        <p class="notice notice-warning">
          Without JavaScript the number does not move. Reload the page to see the number of now.
        </p>
      </noscript>
    </footer>
  );
}
