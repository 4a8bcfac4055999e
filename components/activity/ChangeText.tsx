import { changeText, reasonText } from "./activity_text.ts";
import type { ActivityEntry } from "@/server/activity/activity_log.ts";

type Change =
  | Pick<Extract<ActivityEntry, { change: "joined" }>, "change">
  | Pick<Extract<ActivityEntry, { change: "left" }>, "change" | "reason">;

/** Whether a person joined or left, and why they left. */
export function ChangeText({ entry }: { entry: Change }) {
  const { change } = entry;
  return (
    <>
      <span class={`change change-${change}`}>{changeText[change]}</span>{" "}
      {entry.change === "left" && <span class="soft">{reasonText[entry.reason]}</span>}
    </>
  );
}
