import { href } from "@/shared/address.ts";
import type { ChannelRow } from "@/shared/channel_list.ts";
import { maxMemberSearch } from "@/shared/channel_status.ts";

/** The search for members; without script, a form that reloads the page. */
export function MemberSearch({ channel: { appId, name }, search, onSearch }: {
  channel: Pick<ChannelRow, "appId" | "name">;
  search: string;
  onSearch: (search: string) => void;
}) {
  return (
    <form
      class="channel-filters"
      role="search"
      method="get"
      action={href("/admin/channels/channel")}
      onSubmit={(event) => event.preventDefault()}
    >
      <input type="hidden" name="app" value={appId} />
      <input type="hidden" name="name" value={name} />
      <div class="field">
        <label class="visually-hidden" for="member-search">Search by name or ID</label>
        <input
          id="member-search"
          type="search"
          name="q"
          value={search}
          maxLength={maxMemberSearch}
          placeholder="Search by name or ID"
          autoComplete="off"
          spellcheck={false}
          onInput={({ currentTarget }) => onSearch(currentTarget.value)}
        />
      </div>
      <button class="button button-quiet without-script" type="submit">Search</button>
    </form>
  );
}
