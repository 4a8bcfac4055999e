import type { ComponentChildren } from "preact";
import { Notice } from "../page/fields.tsx";
import { Link } from "../page/links.tsx";
import { currentOf, isBelow, sections } from "../page/navigation.ts";
import { longText } from "@/shared/long_text.ts";
import { text } from "@/shared/language.ts";

/** Whether admins find the page of a path among the settings. */
export function isOfSettings(path: string): boolean {
  return isBelow(path, "/admin/settings") || isBelow(path, "/account");
}

/** A page of the settings beside the list of all sections, which is above it on a phone. */
export function SettingsFrame({ path, children }: { path: string; children: ComponentChildren }) {
  return (
    <div class="settings stack">
      <nav class="choices" aria-label={text`Settings`}>
        <ul>
          {Object.values(sections).map((section) => (
            <li key={section.path}>
              <Link path={section.path} current={currentOf(path, section)}>
                {longText(section.label)}
              </Link>
            </li>
          ))}
        </ul>
      </nav>
      <div class="stack">{children}</div>
    </div>
  );
}

/** What a section says in the place of what needs the built-in server. */
export function ExternalServerNotice({ of: what }: { of: string }) {
  return (
    <Notice tone="warning">{text`${what} aren't available with an external Pusher server.`}</Notice>
  );
}
