import { changeWords, reasonWords } from "../browser/attendance_words.ts";
import type { Coming } from "../live_view/changes.ts";

/** Whether somebody came or went, and why. */
export function ChangeWords({ coming }: { coming: Coming }) {
  const { change } = coming;
  return (
    <>
      <span class={`change change-${change}`}>{changeWords[change]}</span>{" "}
      {coming.change === "left" && <span class="soft">{reasonWords[coming.reason]}</span>}
    </>
  );
}
