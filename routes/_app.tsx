import { Shell } from "../components/Shell.tsx";
import { define } from "../define.ts";

/** The document around every page. */
export default define.page(({ Component, state, url }) => (
  <Shell
    title={state.title}
    csrfToken={state.csrfToken}
    viewer={state.session?.user ?? null}
    path={url.pathname}
  >
    <Component />
  </Shell>
));
