import { href } from "@/shared/address.ts";
import {
  type AppTotals,
  type ChannelQuery,
  channelSortName,
  type KindFilter,
  kindFilters,
  maxChannelSearch,
} from "@/shared/channel_list.ts";
import { text } from "@/shared/language.ts";
import { appText, kindLabels } from "./channel_text.ts";

/** The fields that narrow the list; without script, a form that reloads the page. */
export function ChannelFilters({ formId, query, apps, onChange }: {
  formId: string;
  query: ChannelQuery;
  apps: AppTotals[];
  onChange: (changed: Partial<ChannelQuery>) => void;
}) {
  return (
    <form
      id={formId}
      class="search"
      role="search"
      method="get"
      action={href("/admin/channels")}
      onSubmit={(event) => event.preventDefault()}
    >
      <div class="field">
        <label class="visually-hidden" for="channel-search">{text`Search by name`}</label>
        <input
          id="channel-search"
          type="search"
          name="q"
          value={query.search}
          maxLength={maxChannelSearch}
          placeholder={text`Search by name`}
          autoComplete="off"
          spellcheck={false}
          onInput={({ currentTarget }) => onChange({ search: currentTarget.value })}
        />
      </div>
      {apps.length > 1 && (
        <Choice
          id="channel-app"
          name="app"
          label={text`App`}
          all={text`All apps`}
          value={query.app}
          options={apps.map(({ id, name }) => [id, appText(name)])}
          onChange={(app) => onChange({ app })}
        />
      )}
      <Choice
        id="channel-kind"
        name="kind"
        label={text`Type`}
        all={text`All types`}
        value={query.kind}
        options={kindFilters.map((kind) => [kind, kindLabels()[kind]])}
        // The options are the kinds, and "" for all.
        onChange={(kind) => onChange({ kind: kind as KindFilter | "" })}
      />
      <input type="hidden" name="sort" value={channelSortName(query.sort)} />
      <button class="button button-quiet without-script" type="submit">{text`Search`}</button>
    </form>
  );
}

function Choice({ id, name, label, all, value, options, onChange }: {
  id: string;
  name: string;
  label: string;
  all: string;
  value: string;
  options: readonly (readonly [value: string, label: string])[];
  onChange: (value: string) => void;
}) {
  return (
    <div class="field">
      <label class="visually-hidden" for={id}>{label}</label>
      <select
        id={id}
        name={name}
        value={value}
        onChange={({ currentTarget }) => onChange(currentTarget.value)}
      >
        <option value="">{all}</option>
        {options.map(([option, name]) => (
          <option key={option} value={option} selected={option === value}>{name}</option>
        ))}
      </select>
    </div>
  );
}
