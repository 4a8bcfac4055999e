import type { ChartLook } from "./chart_configuration.ts";

/** The present look of a chart: colours from the style sheet, grey unless `live`. */
export function readLook(canvas: HTMLCanvasElement, live: boolean): ChartLook {
  const style = getComputedStyle(canvas);
  // They are between spaces outside of parentheses.
  const [bar, quiet, grid, text] = style.getPropertyValue("--chart-colors").split(/ (?![^(]*\))/);
  return {
    bar: live ? bar : quiet,
    grid,
    text,
    font: style.fontFamily,
    animated: !matchMedia("(prefers-reduced-motion: reduce)").matches,
  };
}

/**
 * Calls back when the preference for light or dark, or for less motion, changes.
 *
 * @returns unsubscribe
 */
export function onLookChange(callback: () => void): () => void {
  const preferences = ["(prefers-color-scheme: dark)", "(prefers-reduced-motion: reduce)"]
    .map((query) => matchMedia(query));
  for (const preference of preferences) preference.addEventListener("change", callback);
  return () => {
    for (const preference of preferences) preference.removeEventListener("change", callback);
  };
}
