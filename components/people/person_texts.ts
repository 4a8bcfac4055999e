import { changeText, reasonText } from "../activity/ticker.ts";
import { roleText } from "../live_view/snapshot.ts";
import type { ActivityEntry } from "@/server/activity/activity_log.ts";
import type { KnownPerson } from "@/server/people/known_person.ts";
import type { PersonChange } from "@/shared/person.ts";
import { roleLabels } from "@/shared/permissions.ts";
import { text } from "@/shared/language.ts";
import { longText } from "@/shared/long_text.ts";

// What the server words for a person's page. In the page's script, the texts would make the live view's script
// larger, too, which has them in a file of its own.

/** What a person is: the role of an account, the app of its user, or else the kind. */
export function personTypeText(
  { kind, role, source }: Pick<KnownPerson, "kind" | "role" | "source">,
): { name: string; text: string } {
  if (role) return { name: text`Role`, text: roleLabels()[role] };
  const name = source === undefined ? text`Type` : text`Source`;
  return { name, text: roleText({ kind, role: null, source }) };
}

/** A join or leave, in words. */
export function personChange(entry: ActivityEntry): PersonChange {
  const { at, change } = entry;
  const line = { at, change, text: longText(changeText[change]) };
  return entry.change === "left" ? { ...line, reason: longText(reasonText[entry.reason]) } : line;
}
