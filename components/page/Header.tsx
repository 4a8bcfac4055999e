import { Link } from "./Link.tsx";
import { href } from "@/shared/address.ts";
import { Logo } from "./Logo.tsx";
import { CsrfField } from "./CsrfField.tsx";

/** The signed-in user. */
export interface Viewer {
  name: string;
  role: "admin" | "user";
}

const links = [
  { path: "/", label: "Home", adminsOnly: false },
  { path: "/admin/online", label: "Live", adminsOnly: true },
  { path: "/admin/activity", label: "Activity", adminsOnly: true },
  { path: "/admin/channels", label: "Channels", adminsOnly: true },
  { path: "/admin/users", label: "Users", adminsOnly: true },
  { path: "/admin/connect", label: "Connect", adminsOnly: true },
  { path: "/admin/settings", label: "Settings", adminsOnly: true },
];

/** The header of every page: the name of the app, the navigation, the signed-in user. */
export function Header(
  { viewer, path, csrfToken }: { viewer: Viewer | null; path: string; csrfToken: string },
) {
  return (
    <header class="site-header">
      <Link class="brand" path="/">
        <Logo />
        <span class="brand-name">Rollcall</span>
      </Link>
      {viewer && (
        <>
          <Navigation path={path} admin={viewer.role === "admin"} />
          <form class="who" method="post" action={href("/sign-out")}>
            <CsrfField csrfToken={csrfToken} />
            <Link
              class="who-name"
              path="/account"
              current={currentOf("/account", path)}
              title="Your account"
            >
              <bdi>{viewer.name}</bdi>
            </Link>
            <button class="button button-quiet" type="submit">Sign out</button>
          </form>
        </>
      )}
      {!viewer && path !== "/sign-in" && path !== "/setup" && (
        <a class="button button-quiet who" href={href("/sign-in")}>Sign in</a>
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
        {visible.map(({ path: to, label }) => (
          <li key={to}>
            <Link path={to} current={currentOf(to, path)}>{label}</Link>
          </li>
        ))}
      </ul>
    </nav>
  );
}

/** The `aria-current` of a link: the page itself, or one that the page is below. */
function currentOf(to: string, path: string): "page" | "true" | "false" {
  if (path === to) return "page";
  return to !== "/" && path.startsWith(`${to}/`) ? "true" : "false";
}
