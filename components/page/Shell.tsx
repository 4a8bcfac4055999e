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

/**
 * The pages that the navigation names, and the permission that each needs. The mark, shown on phones, is the
 * outline of a drawing 24 units wide and high.
 */
const links: readonly { path: string; label: string; needs: Permission; mark: string }[] = [
  { path: "/admin/online", label: "Live", needs: "view", mark: "M5 20v-7m7 7V4m7 16v-10" },
  { path: "/admin/activity", label: "Activity", needs: "view", mark: "M3 13h4l3 7 4-16 3 9h4" },
  {
    path: "/admin/channels",
    label: "Channels",
    needs: "view",
    mark: "M5 9h15M4 15h15M10 4 8 20m8-16-2 16",
  },
  {
    path: "/admin/users",
    label: "Users",
    needs: "manage",
    mark: "M12 12a4 4 0 1 0 0-8 4 4 0 0 0 0 8ZM4 21a8 8 0 0 1 16 0",
  },
  {
    path: "/admin/connect",
    label: "Connect",
    needs: "manage",
    mark: "M9 3v5m6-5v5M6 8h12v4a6 6 0 0 1-12 0ZM12 18v4",
  },
  {
    path: "/admin/settings",
    label: "Settings",
    needs: "manage",
    mark:
      "M3 7h10m6 0h2M3 17h2m6 0h10M16 10a3 3 0 1 0 0-6 3 3 0 0 0 0 6ZM8 20a3 3 0 1 0 0-6 3 3 0 0 0 0 6Z",
  },
];

/** The pages that show counted channels only. */
const followed: readonly string[] = ["/admin/online", "/admin/activity"];

/** The header of every page: the name of the app, the navigation, the signed-in user. */
function Header(
  { viewer, path, csrfToken }: { viewer: Viewer | null; path: string; csrfToken: string },
) {
  return (
    <header class="site-header">
      <Link class="brand" path="/" current={currentOf("/", path)}>
        <Logo />
        <span class="brand-name">Rollcall</span>
      </Link>
      {viewer && (
        <>
          <Navigation path={path} viewer={viewer} />
          <form class="choices account" method="post" action={href("/sign-out")}>
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
        <a class="button button-quiet account" href={href("/sign-in")}>Sign in</a>
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
    <nav class="choices" aria-label="Main">
      <ul>
        {visible.map(({ path: to, label, mark }) => (
          <li key={to}>
            <Link path={to} current={currentOf(to, path)}>
              <svg
                viewBox="0 0 24 24"
                fill="none"
                stroke="currentColor"
                stroke-width="1.75"
                aria-hidden="true"
              >
                <path d={mark} />
              </svg>
              {label}
            </Link>
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
