import type { ComponentChildren } from "preact";
import { kindTexts } from "./activity_text.ts";
import type { ActivityQuery } from "@/server/activity/activity_query.ts";
import type { CountedName } from "@/shared/counted.ts";
import { LogFilter } from "./LogFilter.tsx";

/** The most accounts that the field suggests; others can be typed. */
const maxSuggestions = 200;

/** The form that filters the activity log. */
export function ActivityFilterForm(
  { query, choices, source, channels, isFiltered, children }: {
    query: ActivityQuery;
    /** The accounts that the field suggests. */
    choices: { name: string; email: string }[];
    /** The name of your own app, where there are several. */
    source: string | undefined;
    /** The counted channels, where there are several. */
    channels?: CountedName[];
    /** Whether a filter is set. */
    isFiltered: boolean;
    /** The fields of the time range. */
    children: ComponentChildren;
  },
) {
  return (
    <LogFilter path="/admin/activity" isFiltered={isFiltered}>
      <div class="field">
        <label for="activity-who">Person</label>
        <input
          id="activity-who"
          name="who"
          type="search"
          list="activity-choices"
          value={query.who}
          maxLength={254}
          placeholder="Name, email, or ID"
          autoComplete="off"
        />
        <datalist id="activity-choices">
          {choices.slice(0, maxSuggestions).map(({ name, email }) => (
            <option key={email} value={email}>{name}</option>
          ))}
        </datalist>
      </div>
      <div class="field">
        <label for="activity-kind">Type</label>
        <select id="activity-kind" name="kind">
          <option value="">All</option>
          {Object.entries(kindTexts(source)).map(([kind, label]) => (
            <option key={kind} value={kind} selected={kind === query.kind}>{label}</option>
          ))}
        </select>
      </div>
      {channels && (
        <div class="field">
          <label for="activity-channel">Channel</label>
          <select id="activity-channel" name="channel">
            <option value="">All</option>
            {channels.map(({ key, channel, app }) => (
              <option key={key} value={key} selected={key === query.channel}>
                {app === undefined ? channel : `${app} ${channel}`}
              </option>
            ))}
          </select>
        </div>
      )}
      {children}
    </LogFilter>
  );
}
