import { Link } from "./links.tsx";
import { href, statedBasePath } from "@/shared/address.ts";
import { Logo } from "./Logo.tsx";
import { CsrfField, Footer } from "./elements.tsx";
import type { ComponentChildren } from "preact";
import { asset } from "fresh/runtime";
import { may, type Permission, type Role } from "@/shared/permissions.ts";

/** The signed-in user. */
export interface Viewer {
  name: string;
  role: Role;
  /** Whether the user may follow a counted channel: not one who is limited to others. */
  mayFollow: boolean;
}

const home = { path: "/", label: "Home" };

/** The pages beside Home, and the permission that each needs. */
const links: readonly { path: string; label: string; needs: Permission }[] = [
  { path: "/admin/online", label: "Live", needs: "view" },
  { path: "/admin/activity", label: "Activity", needs: "view" },
  { path: "/admin/channels", label: "Channels", needs: "view" },
  { path: "/admin/users", label: "Users", needs: "manage" },
  { path: "/admin/connect", label: "Connect", needs: "manage" },
  { path: "/admin/settings", label: "Settings", needs: "manage" },
];

/** The pages that show counted channels only. */
const followed: readonly string[] = ["/admin/online", "/admin/activity"];

/** The header of every page: the name of the app, the navigation, the signed-in user. */
function Header(
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
          <Navigation path={path} viewer={viewer} />
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

function Navigation({ path, viewer: { mayFollow, role } }: { path: string; viewer: Viewer }) {
  const visible = links.filter(({ needs, path: to }) =>
    may(role, needs) && (mayFollow || !followed.includes(to))
  );
  if (visible.length === 0) return null;
  return (
    <nav aria-label="Main">
      <ul>
        {[home, ...visible].map(({ path: to, label }) => (
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

/**
 * The document around a page: head, header, footer, and `<div id="app">` with the page itself. The head
 * has what the page's requests need.
 */
export function Shell({
  title,
  csrfToken,
  viewer,
  path,
  isWide,
  scripts,
  footer,
  behaviour,
  children,
}: {
  /** The title of the page, without the name of the app. */
  title: string;
  /** The CSRF token of this visitor. */
  csrfToken: string;
  /** `null` when signed out. */
  viewer: Viewer | null;
  /** The path of the page, to mark it in the navigation. */
  path: string;
  /** Whether the page takes the width of a wide screen. */
  isWide?: boolean;
  /** The paths of scripts to load with the page, which the scripts that it names import. */
  scripts?: readonly string[];
  /** The first content of the footer. */
  footer?: ComponentChildren;
  /** Islands that render nothing and make the markup work. */
  behaviour?: ComponentChildren;
  children: ComponentChildren;
}) {
  return (
    <html lang="en" data-base-path={statedBasePath()}>
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="color-scheme" content="light dark" />
        <meta name="csrf-token" content={csrfToken} />
        <title>{`${title} · Rollcall`}</title>
        <link
          rel="icon"
          type="image/svg+xml"
          href={href(asset("/icon.svg"))}
          data-quiet={href(asset("/icon-quiet.svg"))}
        />
        <link rel="stylesheet" href={href(asset("/pages.css"))} />
        {scripts?.map((path) => <link key={path} rel="modulepreload" href={href(path)} />)}
      </head>
      <body class={isWide ? "wide" : undefined}>
        <a class="skip" href="#app">Skip to content</a>
        <Header viewer={viewer} path={path} csrfToken={csrfToken} />
        <main>
          <div id="app" tabIndex={-1}>{children}</div>
        </main>
        <Footer>{footer}</Footer>
        {behaviour}
      </body>
    </html>
  );
}
