import { numberText } from "@/shared/number_text.ts";
import { textWidth } from "./text_width.ts";

/** The colours of an embed: those that the reader prefers, or fixed ones. */
export type EmbedTheme = "auto" | "light" | "dark";

/** The count that embeds give. */
export interface EmbedCount {
  users: number;
  /** How many are expected back after a start; absent once the number can be believed. */
  expected?: number;
  /** Since when the number stands still, in ms since 1970; absent while it changes. */
  standsStillSince?: number;
}

/** What an embed shows. */
export interface ShownCount extends EmbedCount {
  /** What follows the number. */
  label: string;
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
    doubtful: "#8a5300",
  },
  dark: {
    ground: "#181e1b",
    line: "#2b3430",
    dot: "#5ad19a",
    number: "#e9efec",
    label: "#a3afa9",
    doubtful: "#f0b765",
  },
};

/**
 * What follows the number: the label, after the expected number while that is not reached again; and the
 * time of a number that stands still.
 */
export function labelOf(
  { label, expected, standsStillSince }: Omit<ShownCount, "users">,
): string {
  if (standsStillSince !== undefined) return `${label} at ${utcTime(standsStillSince, 5)}`;
  return expected === undefined ? label : `of about ${numberText(expected)} ${label}`;
}

/** Why the number is in doubt, for styles and a few words; undefined while it can be believed. */
export function doubtOf(
  { expected, standsStillSince }: EmbedCount,
): { name: "recovering" | "standing"; text: string } | undefined {
  if (standsStillSince !== undefined) {
    const text = `Numbers stand still since ${utcTime(standsStillSince)}`;
    return { name: "standing", text };
  }
  return expected === undefined ? undefined : { name: "recovering", text: "Recovering" };
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
  const { users, ...named } = shown;
  const [number, label] = [numberText(users), labelOf(named)];
  const { height, font, edge, dot, dotGap, wordGap } = size;
  const numberAt = edge + 2 * dot + dotGap;
  const numberWidth = rounded(textWidth(number, font, "bold"));
  const labelAt = rounded(numberAt + numberWidth + wordGap);
  const labelWidth = rounded(textWidth(label, font, "regular"));
  const width = Math.ceil(labelAt + labelWidth + edge);
  const doubt = doubtOf(shown);
  const text = escaped(`${number} ${label}${doubt ? `, ${uncapitalized(doubt.text)}` : ""}`);
  const middle = height / 2;
  const baseline = rounded(middle + 0.36 * font);
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" ` +
    `viewBox="0 0 ${width} ${height}"${doubt ? ` class="${doubt.name}"` : ""} ` +
    `role="img" aria-label="${text}"><title>${text}</title>` +
    `<style>${badgeStyle(theme)}</style>` +
    `<rect class="ground" x=".5" y=".5" width="${width - 1}" height="${height - 1}" rx="8"/>` +
    `<circle class="dot" cx="${edge + dot}" cy="${middle}" r="${dot}"/>` +
    `<g font-family="Verdana,'DejaVu Sans',Geneva,sans-serif" font-size="${font}">` +
    textAt("number", { x: numberAt, y: baseline, width: numberWidth, text: number }) +
    textAt("label", { x: labelAt, y: baseline, width: labelWidth, text: escaped(label) }) +
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
  const { ground, line, dot, number, label, doubtful } = colours[theme];
  return `.ground{fill:${ground};stroke:${line}}.dot{fill:${dot}}` +
    `.number{fill:${number}}.label{fill:${label}}` +
    `.recovering .dot,.recovering .number,.standing .dot,.standing .number{fill:${doubtful}}`;
}

function rounded(length: number): number {
  return Math.round(length * 10) / 10;
}

/** Text for XML and HTML, also in quoted attributes. */
export function escaped(text: string): string {
  return text.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`);
}
