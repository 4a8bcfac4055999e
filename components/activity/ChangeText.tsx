import { changeWords, reasonWords } from "../../browser/online/activity_text.ts";
import type { AttendanceEntry } from "../../online/activity/activity_log.ts";

type Change =
  | Pick<Extract<AttendanceEntry, { change: "joined" }>, "change">
  | Pick<Extract<AttendanceEntry, { change: "left" }>, "change" | "reason">;

/** Whether somebody came or went, and why. */
export function ChangeWords({ coming }: { coming: Change }) {
  const { change } = coming;
  return (
    <>
      <span class={`change change-${change}`}>{changeWords[change]}</span>{" "}
      {coming.change === "left" && <span class="soft">{reasonWords[coming.reason]}</span>}
    </>
  );
}
