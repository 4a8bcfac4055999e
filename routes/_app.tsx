import { href, pathOf } from "@/shared/address.ts";
import { Shell } from "@/components/page/Shell.tsx";
import { isOfSettings, SettingsFrame } from "@/components/settings/SettingsFrame.tsx";
import { WallboardShell } from "@/components/wallboard/WallboardShell.tsx";
import { define } from "@/http/state.ts";
import Forms from "@/islands/Forms.tsx";
import Markup from "@/islands/Markup.tsx";
import Messages from "@/islands/Messages.tsx";
import UsersCount from "@/islands/UsersCount.tsx";
import { usesExternalServer } from "@/server/config/client_options.ts";
import { browserFiles } from "@/http/built_files.ts";
import { liveCount, viewerOf } from "@/http/counted_view.ts";
import { versionText } from "@/server/observability/commit.ts";
import { runningDemo } from "@/server/demo/running_demo.ts";
import { may } from "@/shared/permissions.ts";
import { isWallboardRequest } from "@/server/wallboard/wallboard_links.ts";
import { text } from "@/shared/language.ts";

/** Pages whose content is the live number. No form of theirs needs script. */
const pagesWithNumber = ["/", "/admin/online"];

/**
 * The document around every page. Every open page counts its visitor as online, so pages that do not
 * show the live number as their content show it in the footer, where admins also find the version; on
 * the live view it is part of the server's health. A wallboard has no frame and is not counted.
 */
export default define.page(async ({ Component, req, state, url, config }) => {
  if (isWallboardRequest(req, url)) {
    return (
      <WallboardShell csrfToken={state.csrfToken}>
        <Component />
      </WallboardShell>
    );
  }
  const { preloaded } = await browserFiles(config);
  const path = pathOf(url);
  const isLiveView = path === "/admin/online";
  const isDocs = /^\/docs(\/|$)/.test(path);
  // A guest who signs in is on the way to be counted as a user.
  const visitor = path === "/sign-in" ? null : state.visitor;
  const hasNumber = pagesWithNumber.includes(path);
  const inSettings = isOfSettings(path) && may(state.session?.user.role, "manage");
  const content = <Component />;
  return (
    <Shell
      title={state.title}
      csrfToken={state.csrfToken}
      viewer={viewerOf(state)}
      path={path}
      isWide={isDocs || isLiveView && !usesExternalServer(state.config.pusher)}
      isMac={/\bMac/.test(req.headers.get("user-agent") ?? "")}
      scripts={visitor ? preloaded : []}
      footer={
        <>
          {visitor && !hasNumber && <UsersCount {...liveCount(state, url)} />}
          {!isLiveView && !isDocs && <a href={href("/docs")}>{text`Documentation`}</a>}
          {runningDemo() && <p>{text`Demo: everyone here is made up.`}</p>}
          {state.session?.user.role === "admin" && !isLiveView && <p>Rollcall {versionText}</p>}
        </>
      }
      behaviour={
        <>
          <Markup />
          {!hasNumber && <Forms />}
          {visitor && <Messages settings={liveCount(state, url).settings} viewerId={visitor.id} />}
        </>
      }
    >
      {inSettings ? <SettingsFrame path={path}>{content}</SettingsFrame> : content}
    </Shell>
  );
});
