import type { AppConnection, Guide } from "@/shared/connect.ts";

/** For pages that are connected: they report what they show. The same for every app. */
export function currentPageGuide(_connection: AppConnection): Guide {
  return {
    id: "current-page",
    title: "Where people are",
    intro:
      "Once your pages are connected, these lines report the path of each tab and the kind of " +
      "device to Rollcall's admins. They set no cookie and send no query.",
    files: [
      {
        name: "report_page.js",
        language: "js",
        text: script,
      },
      {
        name: "With Echo",
        language: "js",
        text: `import { reportPage } from "./report_page.js";

reportPage(window.Echo.join("chart").subscription);
`,
      },
      {
        name: "With pusher-js",
        language: "js",
        text: `import { reportPage } from "./report_page.js";

reportPage(pusher.subscribe("presence-chart"));
`,
      },
    ],
  };
}

const script =
  `/** Reports the path of this tab and its kind of device, to Rollcall's admins only. */
export function reportPage(channel) {
  const isSmall = Math.min(screen.width, screen.height) < 600;
  const touchDevice = isSmall ? "phone" : "tablet";
  const device = matchMedia("(pointer: coarse)").matches ? touchDevice : "desktop";
  let reported = "";
  const report = () => {
    const path = location.pathname;
    if (!channel.subscribed || path === reported) return;
    channel.trigger("client-rollcall-page", { path, device });
    reported = path;
  };
  channel.bind("pusher:subscription_succeeded", () => {
    reported = "";
    report();
  });
  setInterval(report, 1_000); // Follows single-page apps, whatever their router.
  report();
}
`;
