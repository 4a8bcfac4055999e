import { at } from "../../shared/address.ts";
import { maxSearchLength, type RosterQuery, sortName } from "../../browser/online/online_table.ts";

/** The search of the roster; without script, a form that asks the server. */
export function RosterSearch({ formId, query: { search, sort }, onSearch }: {
  formId: string;
  query: RosterQuery;
  onSearch: (search: string) => void;
}) {
  return (
    <form
      id={formId}
      class="roster-search"
      role="search"
      method="get"
      action={at("/admin/online#roster")}
      onSubmit={(event) => event.preventDefault()}
    >
      <label class="visually-hidden" for="roster-search">Search by name or id</label>
      <input
        id="roster-search"
        type="search"
        name="q"
        value={search}
        maxLength={maxSearchLength}
        placeholder="Search by name or id"
        autoComplete="off"
        onInput={({ currentTarget }) => onSearch(currentTarget.value)}
      />
      <input type="hidden" name="sort" value={sortName(sort)} />
      <button class="button button-quiet without-script" type="submit">Search</button>
    </form>
  );
}
