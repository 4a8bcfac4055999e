import { numberText } from "../shared/number_text.ts";
import { textWidth } from "./text_width.ts";

/** The colours of an embed: those that the reader prefers, or fixed ones. */
export type EmbedTheme = "auto" | "light" | "dark";

/** What an embed shows. */
export interface ShownCount {
  users: number;
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
  },
  dark: { ground: "#181e1b", line: "#2b3430", dot: "#5ad19a", number: "#e9efec", label: "#a3afa9" },
};

/**
 * The count as an SVG image, exactly as wide as its text: `textLength` makes the text fit where the
 * reader's font is another one.
 */
export function badge({ users, label }: ShownCount, theme: EmbedTheme): string {
  const number = numberText(users);
  const { height, font, edge, dot, dotGap, wordGap } = size;
  const numberAt = edge + 2 * dot + dotGap;
  const numberWidth = rounded(textWidth(number, font, "bold"));
  const labelAt = rounded(numberAt + numberWidth + wordGap);
  const labelWidth = rounded(textWidth(label, font, "regular"));
  const width = Math.ceil(labelAt + labelWidth + edge);
  const text = escaped(`${number} ${label}`);
  const middle = height / 2;
  const baseline = rounded(middle + 0.36 * font);
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" ` +
    `viewBox="0 0 ${width} ${height}" role="img" aria-label="${text}"><title>${text}</title>` +
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
  const { ground, line, dot, number, label } = colours[theme];
  return `.ground{fill:${ground};stroke:${line}}.dot{fill:${dot}}` +
    `.number{fill:${number}}.label{fill:${label}}`;
}

function rounded(length: number): number {
  return Math.round(length * 10) / 10;
}

/** Text for XML and HTML, also in quoted attributes. */
export function escaped(text: string): string {
  return text.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`);
}
