import type { Freshness } from "@/shared/recovery.ts";
import { apartText, escapeHtml, numberText } from "@/shared/text.ts";
import { text } from "@/shared/language.ts";
import { usualLabel } from "./embed_settings.ts";

/** The advance widths of DejaVu Sans from space to tilde, in thousandths of the font size. Verdana's are alike. */
const widths = {
  regular: advances(
    "318,401,460,838,636,950,780,275,390,390,500,838,318,361,318,337,636,636,636,636,636,636,636,636,636,636,337,337,838,838,838,531,1000,684,686,698,770,632,575,775,752,295,295,656,557,863,748,787,603,787,695,635,611,732,684,989,685,611,685,390,337,390,838,500,500,613,635,550,635,615,352,635,634,278,278,579,278,974,634,612,635,635,411,521,392,634,592,818,592,592,525,636,337,636,838",
  ),
  bold: advances(
    "348,456,521,838,696,1002,872,306,457,457,523,838,380,415,380,365,696,696,696,696,696,696,696,696,696,696,400,400,838,838,838,580,1000,774,762,734,830,683,683,821,837,372,372,775,637,995,837,850,733,850,770,720,682,812,774,1103,771,724,725,457,365,457,838,500,500,675,716,593,716,678,435,716,712,343,343,665,343,1042,712,687,716,716,493,595,478,712,652,924,645,652,582,712,365,712,838",
  ),
};

/** Characters as wide as the font is high: East Asian scripts and pictures. */
const wide =
  /[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}\p{sc=Hangul}\p{Extended_Pictographic}\u3000-\u303f\uff00-\uff60]/u;

/** The width of other letters, about as wide as the widest common ones. */
const otherWidth = 680;

/** The width of a text at a font size, without the font: exact for ASCII, close to it for other texts. */
export function textWidth(text: string, size: number, weight: keyof typeof widths): number {
  let width = 0;
  for (const character of text) {
    if (/\p{M}/u.test(character)) continue;
    const advance = widths[weight][character.codePointAt(0)! - 0x20];
    width += advance ?? (wide.test(character) ? 1_000 : otherWidth);
  }
  return width * size / 1_000;
}

function advances(list: string): number[] {
  return list.split(",").map(Number);
}

/** The colours of an embed: the reader's preference, or fixed ones. */
export type EmbedTheme = "auto" | "light" | "dark";

/** The count that embeds give. */
export interface EmbedCount {
  users: number;
  /** How many of them are guests; absent when none is. */
  guests?: number;
  /** How many are active; absent or null where it is not known, or not given. */
  active?: number | null;
  freshness: Freshness;
}

/** What an embed shows. */
export interface ShownCount extends EmbedCount {
  /** What follows the number. */
  label: string;
  /** Whether it shows how many are active, once that is known. */
  showsActive?: boolean;
}

/** All sizes in px. */
const size = { height: 28, font: 13, edge: 12, dot: 4, dotGap: 8, wordGap: 5 };

const colours = {
  light: {
    ground: "#ffffff",
    line: "#dde2df",
    dot: "#0a7a4b",
    number: "#17201c",
    label: "#56605c",
    uncertain: "#8a5300",
  },
  dark: {
    ground: "#181e1b",
    line: "#2b3430",
    dot: "#5ad19a",
    number: "#e9efec",
    label: "#a3afa9",
    uncertain: "#f0b765",
  },
};

/**
 * What follows the number: the label, after the expected number while that is not reached again; how many are
 * active, where that is given; and the time of a stale number.
 */
export function labelOf({ label, active, freshness }: ShownCount): string {
  const named = labelText(label);
  const text = active == null ? named : `${named}, ${activeText(numberText(active))}`;
  switch (freshness.state) {
    case "live":
      return text;
    case "recovering":
      return expectedText(numberText(freshness.expected), text);
    case "stale":
      return timedText(text, utcTime(freshness.since, 5));
  }
}

/** Why the number is uncertain, in a few words; empty while it can be believed. */
export function freshnessText(freshness: Freshness): string {
  switch (freshness.state) {
    case "live":
      return "";
    case "recovering":
      return text`Recovering`;
    case "stale":
      return staleText(utcTime(freshness.since));
  }
}

/** The label that an embed has unless an admin gives it another: in the reader's language. */
export function labelText(label: string): string {
  return label === usualLabel ? text`online` : label;
}

/** How many are active. */
export function activeText(count: string): string {
  return text`${count} active`;
}

/** The label, after the number that is expected again. */
export function expectedText(expected: string, label: string): string {
  return text`of about ${expected} ${label}`;
}

/** The label, before the time of a number. */
export function timedText(label: string, time: string): string {
  return text`${label} at ${time}`;
}

/** Since when the number stays as it is. */
export function staleText(time: string): string {
  return text`Not updating since ${time}`;
}

function uncapitalized(text: string): string {
  return text[0].toLowerCase() + text.slice(1);
}

/** An image has no reader's time zone. @param length 5 without seconds */
function utcTime(at: number, length: 5 | 8 = 8): string {
  return `${new Date(at).toISOString().slice(11, 11 + length)} UTC`;
}

/**
 * The count as an SVG image, exactly as wide as its text: `textLength` makes the text fit where the
 * reader's font is another one.
 */
export function badge(shown: ShownCount, theme: EmbedTheme): string {
  const { users, guests, freshness } = shown;
  const [number, label] = [numberText(users), labelOf(shown)];
  const { height, font, edge, dot, dotGap, wordGap } = size;
  const numberAt = edge + 2 * dot + dotGap;
  const numberWidth = rounded(textWidth(number, font, "bold"));
  const labelAt = rounded(numberAt + numberWidth + wordGap);
  const labelWidth = rounded(textWidth(label, font, "regular"));
  const width = Math.ceil(labelAt + labelWidth + edge);
  const reason = freshnessText(freshness);
  const apart = apartText(users, guests);
  const text = escapeHtml(
    `${number} ${label}${apart && ` (${apart})`}${reason && `, ${uncapitalized(reason)}`}`,
  );
  const middle = height / 2;
  const baseline = rounded(middle + 0.36 * font);
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" ` +
    `viewBox="0 0 ${width} ${height}"${reason && ` class="${freshness.state}"`} ` +
    `role="img" aria-label="${text}"><title>${text}</title>` +
    `<style>${badgeStyle(theme)}</style>` +
    `<rect class="ground" x=".5" y=".5" width="${width - 1}" height="${height - 1}" rx="8"/>` +
    `<circle class="dot" cx="${edge + dot}" cy="${middle}" r="${dot}"/>` +
    `<g font-family="Verdana,'DejaVu Sans',Geneva,sans-serif" font-size="${font}">` +
    textAt("number", { x: numberAt, y: baseline, width: numberWidth, text: number }) +
    textAt("label", { x: labelAt, y: baseline, width: labelWidth, text: escapeHtml(label) }) +
    `</g></svg>\n`;
}

function textAt(
  name: string,
  { x, y, width, text }: { x: number; y: number; width: number; text: string },
): string {
  return `<text class="${name}" x="${x}" y="${y}" textLength="${width}" ` +
    `lengthAdjust="spacingAndGlyphs">${text}</text>`;
}

/** The style in the badge, for a policy that allows this style only. */
export function badgeStyle(theme: EmbedTheme): string {
  const bold = ".number{font-weight:700}";
  if (theme !== "auto") return bold + rulesOf(theme);
  return `${bold}${rulesOf("light")}@media (prefers-color-scheme:dark){${rulesOf("dark")}}`;
}

function rulesOf(theme: "light" | "dark"): string {
  const { ground, line, dot, number, label, uncertain } = colours[theme];
  return `.ground{fill:${ground};stroke:${line}}.dot{fill:${dot}}` +
    `.number{fill:${number}}.label{fill:${label}}` +
    `.recovering .dot,.recovering .number,.stale .dot,.stale .number{fill:${uncertain}}`;
}

function rounded(length: number): number {
  return Math.round(length * 10) / 10;
}
