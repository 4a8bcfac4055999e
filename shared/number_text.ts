/**
 * A number from 0 on as every page writes it: `999`, `12,345`, `0.5`. At most one digit follows the point. Written
 * without `Intl`, whose first use takes a browser 30 ms, before the number is live.
 */
export function numberText(number: number): string {
  const [whole, fraction] = (Math.round(number * 10) / 10).toFixed(1).split(".");
  const grouped = whole.replace(/\B(?=(\d{3})+$)/g, ",");
  return fraction === "0" ? grouped : `${grouped}.${fraction}`;
}

/** A number with its noun: `1 tab`, `12,345 tabs`. */
export function countText(count: number, one: string, many = `${one}s`): string {
  return `${numberText(count)} ${count === 1 ? one : many}`;
}
