import { changeText, reasonText } from "../../browser/online/activity_text.ts";
import type { ActivityEntry } from "../../online/activity/activity_log.ts";

type Change =
  | Pick<Extract<ActivityEntry, { change: "joined" }>, "change">
  | Pick<Extract<ActivityEntry, { change: "left" }>, "change" | "reason">;

/** Whether somebody came or went, and why. */
export function ChangeText({ coming }: { coming: Change }) {
  const { change } = coming;
  return (
    <>
      <span class={`change change-${change}`}>{changeText[change]}</span>{" "}
      {coming.change === "left" && <span class="soft">{reasonText[coming.reason]}</span>}
    </>
  );
}
