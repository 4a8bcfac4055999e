import { numberText } from "@/shared/number_text.ts";

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
  const { dataset } = icon;
  dataset.live ??= icon.href;
  icon.href = (isLive ? dataset.live : dataset.quiet)!;
}
