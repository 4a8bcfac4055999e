import { href } from "@/shared/address.ts";
import { type Found, maxFindLength } from "@/shared/find.ts";
import { foundText } from "./found_entries.ts";
import { SearchForm } from "../page/fields.tsx";

/** The search of everything as a page, for readers without script: what is found, in groups. */
export function FindPage({ text, found: { groups } }: { text: string; found: Found }) {
  return (
    <>
      <h1>Search</h1>
      <SearchForm
        path="/admin/find"
        label="People, pages, channels, actions"
        query={text}
        maxLength={maxFindLength}
      />
      {groups.length === 0 && <p class="card empty">{foundText(0, text)}</p>}
      {groups.map(({ title, entries }) => (
        <section key={title} class="card tight">
          <h2>{title}</h2>
          <ul class="list">
            {entries.map(({ path, title, detail }) => (
              <li key={path}>
                <a dir="auto" href={href(path)}>{title}</a>
                {detail && (
                  <span class="soft">
                    {" "}
                    <bdi>{detail}</bdi>
                  </span>
                )}
              </li>
            ))}
          </ul>
        </section>
      ))}
    </>
  );
}
