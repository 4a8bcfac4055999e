import type { ComponentChildren } from "preact";
import { href } from "@/shared/address.ts";
import { numberText } from "@/shared/text.ts";
import { Button, Field } from "../page/fields.tsx";
import { Card, CsrfField, TableHead, Time } from "../page/elements.tsx";
import { Link } from "../page/links.tsx";
import { text } from "@/shared/language.ts";

/** The name of a new link that was refused, and why. */
export interface RefusedName {
  name: string;
  /** Whether what the form lets choose was chosen. */
  isChosen?: boolean;
  error: string;
}

/** What is said of things of one kind. */
export interface LinkWords {
  /** How many there may be, with the noun. */
  most: string;
  /** What makes one. */
  create: string;
  /** Where there are none. */
  none: string;
}

/** The links of one kind that admins made for others, and the form that creates one. */
export function LinksCard({ csrfToken, refused, ...texts }: {
  csrfToken: string;
  /** The id of the card, and the end of the path that creates a link. */
  id: string;
  title: string;
  words: LinkWords;
  /** How many there are. */
  count: number;
  about: string;
  /** The path of what the documentation says of them. */
  help: string;
  field: { id: string; label: string; example: string };
  /** What else is chosen, below the name. */
  choices?: ComponentChildren;
  refused?: RefusedName;
  /** What was just created. */
  made?: ComponentChildren;
  /** The table of the links. */
  children: ComponentChildren;
}) {
  const { id, title, words, count, about, help, field, choices, made, children } = texts;
  return (
    <Card
      id={id}
      title={title}
      aside={<span class="soft">{text`${numberText(count)} of ${words.most}`}</span>}
    >
      <p class="soft">
        {about}{" "}
        <a href={href(help)}>
          {text`Documentation`}
          <span class="visually-hidden">{`: ${title}`}</span>
        </a>
      </p>
      {made && <div class="notice notice-success stack" role="status">{made}</div>}
      <form
        class={choices ? "form columns" : "form"}
        method="post"
        action={href(`/admin/settings/${id}`)}
      >
        <CsrfField csrfToken={csrfToken} />
        <Field
          id={field.id}
          name="name"
          label={field.label}
          value={refused?.name}
          hint={text`For example, ${field.example}`}
          error={refused?.error}
          autoComplete="off"
          maxLength={100}
        />
        {choices}
        <div class="whole">
          <Button>{words.create}</Button>
        </div>
      </form>
      {count === 0 ? <p class="soft">{words.none}</p> : children}
    </Card>
  );
}

/** What admins made of one kind, each with a page of its own, and a link to add one of each kind that there is. */
export function EntriesCard({ id, title, words, about, path, columns, rows, kinds }: {
  id: string;
  title: string;
  words: LinkWords;
  about: ComponentChildren;
  /** The path of their pages, without the id. */
  path: string;
  /** The heads of the columns before the action. */
  columns: string[];
  /** Each with a line below its name, and the cells of the other columns. */
  rows: readonly { id: string; name: string; line: string; cells: ComponentChildren }[];
  /** The texts of the kinds, by the `kind` in the address of the form. */
  kinds: Readonly<Record<string, string>>;
}) {
  return (
    <Card
      id={id}
      title={title}
      aside={<span class="soft">{text`${numberText(rows.length)} of ${words.most}`}</span>}
    >
      <p class="soft">{about}</p>
      {rows.length === 0 ? <p class="soft">{words.none}</p> : (
        <table class="table">
          <TableHead columns={columns} actions={text`Action`} />
          <tbody>
            {rows.map(({ id, name, line, cells }) => (
              <tr key={id}>
                <th scope="row">
                  {name}
                  <span class="soft below">{line}</span>
                </th>
                {cells}
                <td class="end">
                  <Link class="button button-quiet" path={`${path}/${id}`}>
                    {text`Open`} <span class="visually-hidden">{name}</span>
                  </Link>
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
      <nav class="stack tight ruled" aria-label={words.create}>
        <h3>{words.create}</h3>
        <div class="row">
          {Object.entries(kinds).map(([kind, text]) => (
            <Link key={kind} class="button button-quiet" path={`${path}?kind=${kind}`}>{text}</Link>
          ))}
        </div>
      </nav>
    </Card>
  );
}

/** Something that an admin made and named, with the name of its creator. */
interface NamedLink {
  id: string;
  name: string;
  createdAt: number;
  /** The name of the creator; null when that user was deleted. */
  creator: string | null;
  /** Null when it was never used. */
  lastUsedAt: number | null;
}

/** A table of links that admins made for others: who made each, when it was used, and an action. */
export function LinksTable<Row extends NamedLink>(
  { links, isInUse = () => false, aboutOf = () => undefined, actionOf }: {
    links: readonly Row[];
    /** What the link gives, where that differs. */
    aboutOf?: (link: Row) => string | undefined;
    isInUse?: (link: Row) => boolean;
    actionOf: (link: Row) => ComponentChildren;
  },
) {
  return (
    <table class="table">
      <TableHead columns={[text`Name`, text`Created`, text`Last used`]} actions={text`Action`} />
      <tbody>
        {links.map((link) => (
          <tr key={link.id}>
            <th scope="row">
              {link.name}
              {aboutOf(link) && <span class="soft below">{aboutOf(link)}</span>}
            </th>
            <td>
              <Time at={link.createdAt} />
              <span class="soft below">{text`by ${link.creator ?? text`a deleted user`}`}</span>
            </td>
            <td data-label={text`Last used:`}>
              {isInUse(link)
                ? <span class="good">{text`In use now`}</span>
                : <LastUse at={link.lastUsedAt} />}
            </td>
            <td class="end">{actionOf(link)}</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

function LastUse({ at }: { at: number | null }) {
  return at === null ? <span class="soft">{text`Never`}</span> : <Time at={at} />;
}
