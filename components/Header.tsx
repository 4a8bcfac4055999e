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

function Mark() {
  return (
    <svg class="brand-mark" viewBox="0 0 32 32" aria-hidden="true">
      <rect class="brand-mark-ground" width="32" height="32" rx="8" />
      <rect class="brand-mark-bar" x="7" y="17" width="4" height="8" rx="1.5" />
      <rect class="brand-mark-bar" x="14" y="12" width="4" height="13" rx="1.5" />
      <rect class="brand-mark-bar" x="21" y="7" width="4" height="18" rx="1.5" />
    </svg>
  );
}
