import { Shell } from "../components/Shell.tsx";
import { define } from "../define.ts";
import Markup from "../islands/Markup.tsx";
import Messages from "../islands/Messages.tsx";
import UsersCount from "../islands/UsersCount.tsx";
import { liveCount } from "../live_count.ts";

/** Pages whose content is the live number. */
const pagesWithNumber = ["/", "/admin/online"];

/**
 * The document around every page. Whoever has a page open is online, whichever page it is, so those
 * without the live number as their content have it in the footer.
 */
export default define.page(({ Component, state, url }) => (
  <Shell
    title={state.title}
    csrfToken={state.csrfToken}
    viewer={state.session?.user ?? null}
    path={url.pathname}
    footer={state.visitor && !pagesWithNumber.includes(url.pathname) && (
      <UsersCount {...liveCount(state, url)} />
    )}
    behaviour={
      <>
        <Markup />
        {state.visitor && (
          <Messages settings={liveCount(state, url).settings} viewerId={state.visitor.id} />
        )}
      </>
    }
  >
    <Component />
  </Shell>
));
