import { Mark } from "./Mark.tsx";
import { TokenField } from "./TokenField.tsx";

/** Who looks at a page. */
export interface Viewer {
  name: string;
  role: "admin" | "user";
}

const links = [
  { href: "/", label: "Home", adminsOnly: false },
  { href: "/admin/online", label: "Online", adminsOnly: true },
  { href: "/admin/log", label: "Log", adminsOnly: true },
  { href: "/admin/users", label: "Users", adminsOnly: true },
  { href: "/admin/settings", label: "Settings", adminsOnly: true },
];

/** The head of every page: the name of the app, where one can go, who one is. */
export function Header(
  { viewer, path, csrfToken }: { viewer: Viewer | null; path: string; csrfToken: string },
) {
  return (
    <header class="site-header">
      <a class="brand" href="/">
        <Mark />
        Rollcall
      </a>
      {viewer && (
        <>
          <Navigation path={path} admin={viewer.role === "admin"} />
          <form class="who" method="post" action="/sign-out">
            <TokenField csrfToken={csrfToken} />
            <span class="who-name">{viewer.name}</span>
            <button class="button button-quiet" type="submit">Sign out</button>
          </form>
        </>
      )}
      {!viewer && path !== "/sign-in" && path !== "/setup" && (
        <a class="button button-quiet who" href="/sign-in">Sign in</a>
      )}
    </header>
  );
}

function Navigation({ path, admin }: { path: string; admin: boolean }) {
  const visible = links.filter((link) => admin || !link.adminsOnly);
  if (visible.length < 2) return null;
  return (
    <nav aria-label="Main">
      <ul>
        {visible.map(({ href, label }) => (
          <li key={href}>
            <a href={href} aria-current={currentOf(href, path)}>{label}</a>
          </li>
        ))}
      </ul>
    </nav>
  );
}

/** What a link is to the page: the very page, or one that it is below. */
function currentOf(href: string, path: string): "page" | "true" | undefined {
  if (path === href) return "page";
  return href !== "/" && path.startsWith(`${href}/`) ? "true" : undefined;
}
