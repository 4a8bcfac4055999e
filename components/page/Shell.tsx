import { Link } from "./links.tsx";
import { href, statedBasePath } from "@/shared/address.ts";
import { initialsOf } from "./initials.ts";
import { Logo } from "./Logo.tsx";
import { CsrfField, Footer } from "./elements.tsx";
import type { ComponentChildren } from "preact";
import { asset } from "fresh/runtime";
import { may } from "@/shared/permissions.ts";
import {
  type AppPage,
  currentOf,
  isBelow,
  mayOpen,
  navigation,
  type PageReader,
  sections,
  settingsPage,
} from "./navigation.ts";
import { reader, text } from "@/shared/language.ts";
import { longText } from "@/shared/long_text.ts";

/** The signed-in user. */
export interface Viewer extends PageReader {
  name: string;
}

/** The header of every page: the name of the app, the navigation, the menu of the signed-in user. */
function Header(
  { viewer, path, csrfToken, isMac }: {
    viewer: Viewer | null;
    path: string;
    csrfToken: string;
    isMac?: boolean;
  },
) {
  return (
    <header class="site-header">
      <Link class="brand" path="/" current={currentOf(path, { path: "/" })}>
        <Logo />
        <span class="brand-name">Rollcall</span>
      </Link>
      {viewer && (
        <>
          <Navigation path={path} viewer={viewer} />
          {may(viewer.role, "view") && <FindField path={path} isMac={isMac} />}
          <AccountMenu path={path} viewer={viewer} csrfToken={csrfToken} />
        </>
      )}
      {!viewer && path !== "/sign-in" && path !== "/setup" && (
        <a class="button button-quiet account" href={href("/sign-in")}>{text`Sign in`}</a>
      )}
    </header>
  );
}

/** What looks like a field and opens the search, as a dialog with script and as a page without; on phones a button. */
function FindField({ path, isMac }: { path: string; isMac: boolean | undefined }) {
  return (
    <Link
      class="button button-quiet find"
      path="/admin/find"
      current={currentOf(path, { path: "/admin/find" })}
      aria-keyshortcuts="Control+K Meta+K"
    >
      <Mark outline="M10.5 17a6.5 6.5 0 1 0 0-13 6.5 6.5 0 0 0 0 13Zm5-1.5 5 5" />
      <span class="cut">{text`Search or jump to…`}</span>
      <kbd class="with-script" aria-hidden="true">{isMac ? "⌘K" : "Ctrl K"}</kbd>
    </Link>
  );
}

function Navigation({ path, viewer }: { path: string; viewer: Viewer }) {
  const visible = navigation.filter((page) => mayOpen(viewer, page));
  if (visible.length === 0) return null;
  return (
    <nav class="choices" aria-label={text`Main`}>
      <ul>
        {visible.map((page) => (
          <li key={page.path}>
            <MarkedLink page={page} path={path} />
          </li>
        ))}
        {mayOpen(viewer, settingsPage) && (
          <li class="in-bar">
            <MarkedLink page={settingsPage} path={path} also={[sections.you.path]} />
          </li>
        )}
      </ul>
    </nav>
  );
}

function MarkedLink({ page, path, also }: {
  page: typeof settingsPage;
  path: string;
  /** Other paths on which it is marked. */
  also?: readonly string[];
}) {
  return (
    <Link path={page.path} current={currentOf(path, { ...page, also })}>
      <Mark outline={page.mark} />
      {longText(page.label)}
    </Link>
  );
}

function Mark({ outline }: { outline: string }) {
  return (
    <svg
      viewBox="0 0 24 24"
      fill="none"
      stroke="currentColor"
      stroke-width="1.75"
      aria-hidden="true"
    >
      <path d={outline} />
    </svg>
  );
}

/** What the button with one's initials opens, without script too. */
function AccountMenu(
  { viewer, path, csrfToken }: { viewer: Viewer; path: string; csrfToken: string },
) {
  const { name } = viewer;
  const pages: AppPage[] = mayOpen(viewer, settingsPage)
    ? [sections.you, settingsPage]
    : [sections.you];
  return (
    <div class="account">
      <button
        class="plain account-button"
        type="button"
        popovertarget="account-menu"
        aria-label={text`Your menu, ${name}`}
        title={name}
      >
        <span class="initials" aria-hidden="true">{initialsOf(name) || "?"}</span>
      </button>
      <div class="card tight picks account-menu" id="account-menu" popover>
        <p class="cut">
          <bdi>{name}</bdi>
        </p>
        {pages.map((page) => (
          <Link key={page.path} path={page.path} current={currentOf(path, page)}>
            {longText(page.label)}
          </Link>
        ))}
        <form method="post" action={href("/sign-out")}>
          <CsrfField csrfToken={csrfToken} />
          <button class="button button-quiet" type="submit">{text`Sign out`}</button>
        </form>
      </div>
    </div>
  );
}

/** Gives a page's scripts their texts, before they run, where its language is not English. @param path of the page */
export function LanguageScript({ path }: { path: string }) {
  const { language } = reader;
  if (!language) return null;
  const name = isBelow(path, "/admin") ? `${language.tag}-admin` : language.tag;
  return <script type="module" src={href(asset(`/languages/${name}.js`))}></script>;
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
  isMac,
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
  /** Whether the reader's keyboard is likely to have ⌘ in the place of Ctrl. */
  isMac?: boolean;
  /** The paths of scripts to load with the page, which the scripts that it names import. */
  scripts?: readonly string[];
  /** The first content of the footer. */
  footer?: ComponentChildren;
  /** Islands that render nothing and make the markup work. */
  behaviour?: ComponentChildren;
  children: ComponentChildren;
}) {
  const { language } = reader;
  return (
    <html lang={language?.tag ?? "en"} dir={language?.direction} data-base-path={statedBasePath()}>
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
        <LanguageScript path={path} />
        {scripts?.map((path) => <link key={path} rel="modulepreload" href={href(path)} />)}
      </head>
      <body class={isWide ? "wide" : undefined}>
        <a class="button skip" href="#app">{text`Skip to content`}</a>
        <Header viewer={viewer} path={path} csrfToken={csrfToken} isMac={isMac} />
        <main>
          <div id="app" tabIndex={-1}>{children}</div>
        </main>
        <Footer>{footer}</Footer>
        {behaviour}
      </body>
    </html>
  );
}
