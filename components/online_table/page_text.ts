import { numberText } from "@/shared/text.ts";
import type { CurrentPage, Device } from "@/shared/list_page.ts";
import type { UserActivity } from "@/shared/online.ts";
import { durationText } from "../page/time_text.ts";
import { text } from "@/shared/language.ts";
import { keyText, longText, wordText } from "@/shared/long_text.ts";

/** A page in one line: `/checkout · phone`. */
export function pageText({ path, device }: CurrentPage): string {
  return device ? `${path} · ${longText(device)}` : path;
}

/** Users by kind of device; kinds without users are left out: `12 desktop · 3 phone`. */
export function deviceCountsText(devices: Record<Device, number>): string {
  return ([keyText("desktop"), keyText("phone"), keyText("tablet")] as const)
    .filter((device) => devices[device] > 0)
    .map((device) => `${numberText(devices[device])} ${longText(device)}`)
    .join(" · ");
}

/** Whether a person is active, in words: `Active`, `Idle for 12 min`; a dash where nothing is known. */
export function activityText(activity: UserActivity | undefined, now: number): string {
  if (!activity) return "–";
  if (activity.state === "active") return wordText("Active", "a person");
  const length = now - activity.since;
  return length < 60_000 ? text`Idle` : text`Idle for ${durationText(length)}`;
}
