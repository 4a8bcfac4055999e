/**
 * Marks a link to the page itself, or to a page above it, as Fresh does: with `data-current` or
 * `data-ancestor`, and with `aria-current` unless the link states its own. "/" is above every page.
 */
export function markCurrentLink(props: Record<string, unknown>, pagePath: string): void {
  const { href } = props;
  if (typeof href !== "string" || !href.startsWith("/")) return;
  const page = withoutSlashAtEnd(pagePath);
  const target = withoutSlashAtEnd(new URL(href, "http://localhost").pathname);
  if (page === target) {
    props["data-current"] = "true";
    props["aria-current"] ??= "page";
  } else if (target === "/" || page.startsWith(`${target}/`)) {
    props["data-ancestor"] = "true";
    props["aria-current"] ??= "true";
  }
}

function withoutSlashAtEnd(path: string): string {
  return path.replace(/(?<=.)\/$/, "");
}
