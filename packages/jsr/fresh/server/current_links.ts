/**
 * Marks a link to the page itself, or to a page above it, as Fresh does: with `data-current` or
 * `data-ancestor`, and `aria-current`, unless the link states that itself. "/" is above every page, and
 * a page is above itself when the link states another query.
 */
export function markCurrentLink(props: Record<string, unknown>, page: URL): void {
  const { href } = props;
  if (typeof href !== "string" || !href.startsWith("/")) return;
  if (props["aria-current"] !== undefined) return;
  const link = new URL(href, "http://localhost");
  const [path, target] = [page.pathname, link.pathname].map(withoutSlashAtEnd);
  if (path === target && (link.search === "" || link.search === page.search)) {
    props["data-current"] = "true";
    props["aria-current"] = "page";
  } else if (path === target || target === "/" || path.startsWith(`${target}/`)) {
    props["data-ancestor"] = "true";
    props["aria-current"] = "true";
  }
}

function withoutSlashAtEnd(path: string): string {
  return path.replace(/(?<=.)\/$/, "");
}
