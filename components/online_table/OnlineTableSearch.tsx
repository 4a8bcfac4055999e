import { href } from "@/shared/address.ts";
import { maxSearchLength, type OnlineTableQuery, sortName } from "@/shared/online_table.ts";

/** The search of the online table; without script, a form that reloads the page. */
export function OnlineTableSearch({ formId, channel, query: { search, sort }, onSearch }: {
  formId: string;
  /** The key of the channel, in the page's query. */
  channel: string | null;
  query: OnlineTableQuery;
  onSearch: (search: string) => void;
}) {
  return (
    <form
      id={formId}
      class="online-table-search"
      role="search"
      method="get"
      action={href("/admin/online#online-table")}
      onSubmit={(event) => event.preventDefault()}
    >
      <label class="visually-hidden" for="online-table-search">Search by name or ID</label>
      <input
        id="online-table-search"
        type="search"
        name="q"
        value={search}
        maxLength={maxSearchLength}
        placeholder="Search by name or ID"
        autoComplete="off"
        onInput={({ currentTarget }) => onSearch(currentTarget.value)}
      />
      <input type="hidden" name="sort" value={sortName(sort)} />
      {channel && <input type="hidden" name="channel" value={channel} />}
      <button class="button button-quiet without-script" type="submit">Search</button>
    </form>
  );
}
