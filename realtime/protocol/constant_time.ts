import { timingSafeEqual } from "node:crypto";

const encoder = new TextEncoder();

/**
 * Compares two texts in constant time, so that the duration of a comparison reveals nothing about a
 * secret but its length. The only such comparison in the program: use it for every signature, digest
 * and token.
 */
export function isSameText(given: string, expected: string): boolean {
  const [left, right] = [encoder.encode(given), encoder.encode(expected)];
  return left.length === right.length && timingSafeEqual(left, right);
}
