import { countText, numberText } from "@/shared/text.ts";

/** A number in a table. Narrow screens, which show no heads beside it, show its unit too. */
export function Counted({ count, unit }: { count: number; unit: string }) {
  const number = numberText(count);
  return (
    <>
      {number}
      <span class="narrow-unit">{countText(count, unit).slice(number.length)}</span>
    </>
  );
}
