import { createHash } from "node:crypto";
import { numberText } from "../shared/number_text.ts";
import { badgeStyle, type EmbedTheme, escaped, type ShownCount } from "./badge.ts";

/** How often the page asks for the count, in ms. */
const refreshMs = 15_000;

/** Without script, the page reloads itself after as many seconds. */
const reloadSeconds = 30;

const style = `
:root { color-scheme: light dark; font-family: system-ui, sans-serif; }
[data-theme="light"] { color-scheme: light; }
[data-theme="dark"] { color-scheme: dark; }
body {
  display: grid; place-content: center; min-block-size: 100dvh; margin: 0;
  background: light-dark(#ffffff, #181e1b); color: light-dark(#56605c, #a3afa9);
}
h1 {
  display: flex; align-items: baseline; gap: 0.4em; margin: 0;
  font-size: clamp(0.875rem, 11vmin, 2rem); font-weight: 400;
}
i {
  align-self: center; inline-size: 0.5em; block-size: 0.5em; border-radius: 50%;
  background: light-dark(#0a7a4b, #5ad19a); forced-color-adjust: none;
}
b {
  color: light-dark(#17201c, #e9efec); font-size: 1.6em; font-variant-numeric: tabular-nums;
  letter-spacing: -0.02em; line-height: 1;
}
[data-stale] b, [data-stale] i { color: inherit; background: none; }
[data-stale] i { border: 2px solid; box-sizing: border-box; }
`;

/** Asks for the count; after 45 s without one, the number is shown as out of date. */
const script = `
const [count, number] = [document.querySelector("h1"), document.querySelector("b")];
const format = new Intl.NumberFormat("en");
let at = Date.now();
async function refresh() {
  if (document.hidden) return;
  try {
    const response = await fetch(location.pathname + ".json", { cache: "no-cache" });
    if (!response.ok) throw new Error(response.status);
    number.textContent = format.format((await response.json()).users);
    at = Date.now();
  } catch {}
  const isStale = Date.now() - at > ${3 * refreshMs};
  count.toggleAttribute("data-stale", isStale);
  count.title = isStale ? "Out of date" : "";
}
setInterval(refresh, ${refreshMs});
document.addEventListener("visibilitychange", refresh);
`;

/** The count as a page for a frame. Its style and its one script are in it, so it is a single request. */
export function embedPage({ users, label }: ShownCount, theme: EmbedTheme): string {
  const number = numberText(users);
  const text = escaped(label);
  return `<!DOCTYPE html>
<html lang="en"${theme === "auto" ? "" : ` data-theme="${theme}"`}>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex, nofollow">
<title>${number} ${text}</title>
<style>${style}</style>
<noscript><meta http-equiv="refresh" content="${reloadSeconds}"></noscript>
<main><h1><i></i><b>${number}</b> <span>${text}</span></h1></main>
<script type="module">${script}</script>
</html>
`;
}

/** The policy of the page: nothing but itself, in frames of these origins only. */
export function pagePolicy(origins: readonly string[]): string {
  return [
    "default-src 'none'",
    `script-src '${hashOf(script)}'`,
    `style-src '${hashOf(style)}'`,
    "connect-src 'self'",
    "base-uri 'none'",
    "form-action 'none'",
    `frame-ancestors ${origins.length === 0 ? "'none'" : origins.join(" ")}`,
  ].join("; ");
}

/** The policy of the badge where it is opened as a document. */
export function badgePolicy(theme: EmbedTheme): string {
  return `default-src 'none'; style-src '${hashOf(badgeStyle(theme))}'; frame-ancestors 'none'`;
}

function hashOf(text: string): string {
  return `sha256-${createHash("sha256").update(text).digest("base64")}`;
}
