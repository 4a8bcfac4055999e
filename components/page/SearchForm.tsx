import { Link } from "./Link.tsx";
import { href } from "@/shared/address.ts";

/** A field that searches the list below it by reloading the page. */
export function SearchForm({ path, label, query, maxLength }: {
  path: string;
  label: string;
  query: string;
  maxLength: number;
}) {
  return (
    <form class="search" role="search" method="get" action={href(path)}>
      <div class="field">
        <label class="visually-hidden" for="search">{label}</label>
        <input
          id="search"
          type="search"
          name="q"
          value={query}
          placeholder={label}
          maxLength={maxLength}
          autoComplete="off"
        />
      </div>
      <button class="button button-quiet" type="submit">Search</button>
      {query && <Link path={path}>Clear search</Link>}
    </form>
  );
}
