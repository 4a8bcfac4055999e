import { pathOf } from "../shared/address.ts";
import { Shell } from "../components/frame/Shell.tsx";
import { WallboardShell } from "../components/wallboard/WallboardShell.tsx";
import { define } from "../state.ts";
import Markup from "../islands/Markup.tsx";
import Messages from "../islands/Messages.tsx";
import UsersCount from "../islands/UsersCount.tsx";
import { liveCount } from "../http/live_count.ts";
import { isWallboardRequest } from "../wallboard/wallboard_request.ts";

/** Pages whose content is the live number. */
const pagesWithNumber = ["/", "/admin/online"];

/**
 * The document around every page. Every open page counts its visitor as online, so pages that do not
 * show the live number as their content show it in the footer. A wallboard has no frame and is not
 * counted.
 */
export default define.page(({ Component, req, state, url }) => {
  if (isWallboardRequest(req, url)) {
    return (
      <WallboardShell csrfToken={state.csrfToken}>
        <Component />
      </WallboardShell>
    );
  }
  return (
    <Shell
      title={state.title}
      csrfToken={state.csrfToken}
      viewer={state.session?.user ?? null}
      path={pathOf(url)}
      footer={state.visitor && !pagesWithNumber.includes(pathOf(url)) && (
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
  );
});
