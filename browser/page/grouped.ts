/** A whole number with a narrow space between thousands, from five digits on: `12 345`. */
export function grouped(number: number): string {
  const digits = String(number);
  return digits.length < 5 ? digits : digits.replace(/\B(?=(\d{3})+$)/g, "\u202f");
}
