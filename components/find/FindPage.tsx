import { href } from "@/shared/address.ts";
import { type Found, maxFindLength } from "@/shared/find.ts";
import { foundText } from "./found_entries.ts";
import { SearchForm } from "../page/fields.tsx";
import { text } from "@/shared/language.ts";

/** The search of everything as a page, for readers without script: what is found, in groups. */
export function FindPage({ sought, found: { groups } }: { sought: string; found: Found }) {
  return (
    <>
      <h1>{text`Search`}</h1>
      <SearchForm
        path="/admin/find"
        label={text`People, pages, channels, actions`}
        query={sought}
        maxLength={maxFindLength}
      />
      {groups.length === 0 && <p class="card empty">{foundText(0, sought)}</p>}
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
