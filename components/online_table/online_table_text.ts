import { durationText } from "../page/time_text.ts";
import type { Person } from "@/shared/online.ts";
import { countText, numberText } from "@/shared/number_text.ts";

/** The role of a person, or the kind or the app of a person without one. */
export function roleText(
  { kind, role, source, isUnnamed }: Pick<Person, "kind" | "role" | "source" | "isUnnamed">,
): string {
  if (isUnnamed) return "";
  if (kind === "guest") return "Guest";
  if (source !== undefined) return source;
  return role === "admin" ? "Admin" : "User";
}

/** How many people are listed: `12 people`, or `3 of 12 people` after a search. */
export function hitsText(hits: number, total: number, searched: boolean): string {
  const people = countText(total, "person", "people");
  return searched ? `${numberText(hits)} of ${people}` : people;
}

const [second, minute, hour, day] = [1_000, 60_000, 3_600_000, 86_400_000];

/**
 * A length of time that is seen to grow: `42 s`, `3:10`, `1 h 04`; days from one day on. In milliseconds.
 */
export function runningText(length: number): string {
  if (length < minute) return `${Math.floor(length / second)} s`;
  const [unit, part, separator] = length < hour ? [minute, second, ":"] : [hour, minute, " h "];
  if (length >= day) return durationText(length);
  const rest = Math.floor(length % unit / part);
  return `${Math.floor(length / unit)}${separator}${String(rest).padStart(2, "0")}`;
}
