import { numberText } from "@/shared/number_text.ts";
import { changesOf, rateMs, type TickerState } from "./ticker_state.ts";

/** What replaces the lines while there are too many: `37 joined, 31 left in the last 10 s`. */
export function rateText(state: TickerState): string {
  const { joined, left } = changesOf(state);
  return `${numberText(joined)} joined, ${numberText(left)} left in the last ${rateMs / 1_000} s`;
}
