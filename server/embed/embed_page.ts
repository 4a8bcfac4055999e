import { createHash } from "node:crypto";
import { apartText, escapeHtml, numberText } from "@/shared/text.ts";
import {
  activeText,
  badgeStyle,
  type EmbedTheme,
  expectedText,
  freshnessText,
  labelOf,
  labelText,
  type ShownCount,
  staleText,
  timedText,
} from "./badge.ts";
import { plural, reader, text } from "@/shared/language.ts";
import { numberFont } from "@/shared/number_font.ts";

/** How often the page asks for the count, in ms. */
const refreshMs = 15_000;

/** Without script, the page reloads itself after as many seconds. */
const reloadSeconds = 30;

const style = `
/* Digits of Inter, © 2016 The Inter Project Authors, SIL Open Font License 1.1 */
@font-face { font-family: Number; font-weight: 1 1000; src: url("${numberFont}"); }
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
p { margin: 0.25em 0 0; text-align: center; font-size: clamp(0.75rem, 8vmin, 1.25rem); }
p:empty { display: none; }
i {
  align-self: center; inline-size: 0.5em; block-size: 0.5em; border-radius: 50%;
  background: light-dark(#0a7a4b, #5ad19a); forced-color-adjust: none;
}
b {
  color: light-dark(#17201c, #e9efec); font-family: Number, system-ui, sans-serif;
  font-size: 1.6em; font-variant-numeric: tabular-nums;
  letter-spacing: -0.02em; line-height: 1;
}
:is([data-recovering], [data-stale]) b { color: light-dark(#8a5300, #f0b765); }
:is([data-recovering], [data-stale]) i { background: light-dark(#b36b00, #f0b765); }
[data-outdated] b, [data-outdated] i { color: inherit; background: none; }
[data-outdated] i { border: 2px solid; box-sizing: border-box; }
`;

/**
 * Asks for the count; after 45 s without one, the number is shown as out of date. Times are the reader's, with
 * a clock of 12 or 24 hours as the reader's locale has it.
 */
const script = `
const [count, number, label, apart] = ["h1", "b", "span", "p"].map((name) => document.querySelector(name));
const name = label.dataset.label;
const { lang } = document.documentElement;
const texts = JSON.parse(count.dataset.texts);
const format = new Intl.NumberFormat(lang);
const plural = new Intl.PluralRules(lang);
const { hourCycle } = new Intl.DateTimeFormat([], { hour: "numeric" }).resolvedOptions();
const [minute, clock] = ["short", "medium"].map((timeStyle) =>
  new Intl.DateTimeFormat(lang, { timeStyle, hourCycle })
);
let at = Date.now();
const put = (text, ...values) => text.replace(/\\{(\\d)\\}/g, (_, index) => values[index]);
const named = (count, forms) => format.format(count) + " " + (forms[plural.select(count)] ?? forms.other);
function show({ users, guests, active, expected, since }) {
  const time = since && new Date(since);
  const isShown = "active" in label.dataset && active !== undefined;
  const text = isShown ? name + ", " + put(texts.active, format.format(active)) : name;
  number.textContent = format.format(users);
  label.textContent = time
    ? put(texts.at, text, minute.format(time))
    : expected ? put(texts.expected, format.format(expected), text) : text;
  apart.textContent = guests ? named(users - guests, texts.user) + ", " + named(guests, texts.guest) : "";
  count.toggleAttribute("data-stale", Boolean(since));
  count.toggleAttribute("data-recovering", !since && Boolean(expected));
  return time ? put(texts.since, clock.format(time)) : expected ? texts.recovering : "";
}
let reason = count.title;
async function refresh() {
  if (document.hidden) return;
  try {
    const response = await fetch(location.pathname + ".json", { cache: "no-cache" });
    if (!response.ok) throw new Error(response.status);
    reason = show(await response.json());
    at = Date.now();
  } catch {}
  const isOutdated = Date.now() - at > ${3 * refreshMs};
  count.toggleAttribute("data-outdated", isOutdated);
  count.title = isOutdated ? texts.outdated : reason;
}
const { users, guests, since } = count.dataset;
if (since) count.title = reason = show({ users: +users, guests: +guests, since });
setInterval(refresh, ${refreshMs});
document.addEventListener("visibilitychange", refresh);
`;

/** The count as a page for a frame. Its style and its one script are in it, so it is a single request. */
export function embedPage(shown: ShownCount, theme: EmbedTheme): string {
  const { users, guests, label, showsActive, freshness } = shown;
  const number = numberText(users);
  const name = escapeHtml(labelOf(shown));
  const reason = freshnessText(freshness);
  const state = reason && ` data-${freshness.state} title="${reason}"${sinceOf(shown)}`;
  return `<!DOCTYPE html>
<html lang="${reader.language?.tag ?? "en"}" dir="${reader.language?.direction ?? "ltr"}"${
    theme === "auto" ? "" : ` data-theme="${theme}"`
  }>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex, nofollow">
<title>${number} ${name}</title>
<style>${style}</style>
<noscript><meta http-equiv="refresh" content="${reloadSeconds}"></noscript>
<main><h1${state} data-texts="${
    escapeHtml(JSON.stringify(scriptTexts()))
  }"><i></i><b>${number}</b> <span data-label="${escapeHtml(labelText(label))}"${
    showsActive ? " data-active" : ""
  }>${name}</span></h1><p>${apartText(users, guests)}</p></main>
<script type="module">${script}</script>
</html>
`;
}

/** What the script writes, with the places of values. */
function scriptTexts() {
  return {
    active: activeText("{0}"),
    at: timedText("{0}", "{1}"),
    expected: expectedText("{0}", "{1}"),
    since: staleText("{0}"),
    recovering: text`Recovering`,
    outdated: text`Out of date`,
    user: nounForms("user"),
    guest: nounForms("guest"),
  };
}

/** A noun for each kind of number, as `Intl` names these. */
function nounForms(one: string): Record<string, string> {
  const tag = reader.language?.tag ?? "en";
  const rules = new Intl.PluralRules(tag);
  return Object.fromEntries(
    Array.from({ length: 101 }, (_, count) => [rules.select(count), plural(count, one)]),
  );
}

/** For the script, which writes the time in the reader's zone. */
function sinceOf({ users, guests = 0, freshness }: ShownCount): string {
  if (freshness.state !== "stale") return "";
  return ` data-users="${users}" data-guests="${guests}" data-since="${
    new Date(freshness.since).toISOString()
  }"`;
}

/** The policy of the page: nothing but itself, in frames of these origins only. */
export function pagePolicy(origins: readonly string[]): string {
  return [
    "default-src 'none'",
    `script-src '${hashOf(script)}'`,
    `style-src '${hashOf(style)}'`,
    "font-src data:",
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
