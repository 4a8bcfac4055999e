import { numberText } from "@/shared/text.ts";

/** A number in a table. Narrow screens, which show no heads beside it, show its unit too. */
export function Counted({ count, text }: {
  count: number;
  /** The number with its unit, as `countText` writes it. */
  text: string;
}) {
  const number = numberText(count);
  return (
    <>
      {number}
      <span class="narrow-unit">{text.slice(number.length)}</span>
    </>
  );
}
