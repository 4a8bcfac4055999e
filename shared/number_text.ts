const numbers = new Intl.NumberFormat("en", { maximumFractionDigits: 1 });

/** A number as every page writes it: `999`, `12,345`, `0.5`. At most one digit follows the point. */
export function numberText(number: number): string {
  return numbers.format(number);
}

/** A number with its noun: `1 tab`, `12,345 tabs`. */
export function countText(count: number, one: string, many = `${one}s`): string {
  return `${numberText(count)} ${count === 1 ? one : many}`;
}
