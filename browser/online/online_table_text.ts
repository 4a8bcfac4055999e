import type { Person } from "../../shared/online.ts";
import { countText, numberText } from "../../shared/number_text.ts";

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
