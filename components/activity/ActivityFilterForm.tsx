import type { ComponentChildren } from "preact";
import { href } from "../../shared/address.ts";
import { kindText } from "../../browser/online/activity_text.ts";
import type { ActivityQuery } from "../../online/activity/activity_query.ts";
import { Button } from "../forms/Button.tsx";

/** Accounts that can be chosen from in the field; any other can be typed. */
const mostChoices = 200;

/** The form that asks the attendance log for some of its entries. */
export function ActivityFilterForm({ query, choices, isFiltered, children }: {
  query: ActivityQuery;
  /** Who has an account here. */
  choices: { name: string; email: string }[];
  /** Whether anything is asked for. */
  isFiltered: boolean;
  /** The fields of the time. */
  children: ComponentChildren;
}) {
  return (
    <form class="form log-filter" role="search" aria-label="Filter the log">
      <div class="field">
        <label for="log-who">Who</label>
        <input
          id="log-who"
          name="who"
          type="search"
          list="log-choices"
          value={query.who}
          maxLength={254}
          placeholder="Name, e-mail or id"
          autoComplete="off"
        />
        <datalist id="log-choices">
          {choices.slice(0, mostChoices).map(({ name, email }) => (
            <option key={email} value={email}>{name}</option>
          ))}
        </datalist>
      </div>
      <div class="field">
        <label for="log-kind">Kind</label>
        <select id="log-kind" name="kind">
          <option value="">Everybody</option>
          {Object.entries(kindText).map(([kind, words]) => (
            <option key={kind} value={kind} selected={kind === query.kind}>{words}</option>
          ))}
        </select>
      </div>
      {children}
      <div class="log-filter-end">
        <Button>Filter</Button>
        {isFiltered && <a class="button button-quiet" href={href("/admin/activity")}>Clear</a>}
      </div>
    </form>
  );
}
