/** A content coding of RFC 9110, section 8.4.1, that answers can have. */
export type ContentCoding = "br" | "gzip";

/**
 * The coding that a client wants most, by the `Accept-Encoding` of its request (RFC 9110, section 12.5.3).
 *
 * @param offered the codings at hand, the best first, which decides between those that are wanted alike.
 * @returns null when the content is to be sent as it is. That is also what a client gets that refuses it so,
 * where nothing it accepts is at hand.
 */
export function preferredCoding(
  acceptEncoding: string | null,
  offered: readonly ContentCoding[],
): ContentCoding | null {
  const weights = readWeights(acceptEncoding ?? "");
  const weightOf = (coding: string) => weights.get(coding) ?? weights.get("*") ?? 0;
  const [best] = offered.toSorted((one, other) => weightOf(other) - weightOf(one));
  if (best === undefined || weightOf(best) === 0) return null;
  return weightOf(best) >= (weights.get("identity") ?? 0) ? best : null;
}

/** A malformed weight counts as 0, so that the client gets what every client can read. */
function readWeights(acceptEncoding: string): Map<string, number> {
  return new Map(
    acceptEncoding.toLowerCase().split(",").map((item) => {
      const [coding, weight] = item.split(";").map((part) => part.trim());
      if (weight === undefined) return [coding, 1];
      const [, value = "0"] = /^q=(0(?:\.\d{0,3})?|1(?:\.0{0,3})?)$/.exec(weight) ?? [];
      return [coding, Number(value)];
    }),
  );
}
