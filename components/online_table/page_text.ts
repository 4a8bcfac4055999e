import { numberText } from "@/shared/text.ts";
import type { CurrentPage, Device } from "@/shared/list_page.ts";

/** A page in one line: `/checkout · phone`. */
export function pageText({ path, device }: CurrentPage): string {
  return device ? `${path} · ${device}` : path;
}

/** Users by kind of device; kinds without users are left out: `12 desktop · 3 phone`. */
export function deviceCountsText(devices: Record<Device, number>): string {
  return (["desktop", "phone", "tablet"] as const)
    .filter((device) => devices[device] > 0)
    .map((device) => `${numberText(devices[device])} ${device}`)
    .join(" · ");
}
