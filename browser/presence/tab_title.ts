import { numberText } from "../../shared/number_text.ts";

/**
 * Shows a number in front of the page's title, for a reader who has another tab open, and turns the icon
 * grey while the number may be out of date.
 *
 * @param title of the page, without a number.
 */
export function showInTab(title: string, count: number | null, isLive: boolean): void {
  document.title = count === null ? title : `(${numberText(count)}) ${title}`;
  const icon = document.querySelector<HTMLLinkElement>('link[rel="icon"]');
  if (!icon) return;
  icon.dataset.live ??= icon.href;
  const { live, quiet = live } = icon.dataset;
  const wanted = isLive ? live : quiet;
  if (icon.href !== wanted) icon.href = wanted!;
}
