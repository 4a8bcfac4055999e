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

/** For pages that are connected: they report whether they are used. The same for every app. */
export function activityGuide(_connection: AppConnection): Guide {
  return {
    id: "activity",
    title: "Who is active",
    intro: "An open tab is not a person at work. These lines report whether each tab is used, to " +
      "Rollcall's admins: idle after five minutes without input, or hidden for as long. They say " +
      "nothing of what is done, and set no cookie.",
    files: [
      {
        name: "report_activity.js",
        language: "js",
        text: activityScript,
      },
      {
        name: "With Echo",
        language: "js",
        text: `import { reportActivity } from "./report_activity.js";

reportActivity(window.Echo.join("chart").subscription);
`,
      },
      {
        name: "With pusher-js",
        language: "js",
        text: `import { reportActivity } from "./report_activity.js";

reportActivity(pusher.subscribe("presence-chart"));
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

/** Compares times instead of counting timers: timers of hidden tabs are slow, and none runs in sleep. */
const activityScript =
  `/** Reports to Rollcall's admins whether this tab is used: idle after so long without input. */
export function reportActivity(channel, idleAfterMs = 5 * 60_000) {
  let usedAt = Date.now();
  let isFrozen = false;
  let pointer = "";
  let reported = "";
  const report = () => {
    usedAt = Math.min(usedAt, Date.now()); // The clock can be set back.
    const idleMs = Date.now() - usedAt;
    const state = isFrozen || idleMs >= idleAfterMs ? "idle" : "active";
    if (!channel.subscribed || state === reported) return;
    channel.trigger("client-rollcall-activity", { state, seconds: Math.floor(idleMs / 1_000) });
    reported = state;
  };
  const use = ({ type, target, screenX, screenY }) => {
    const before = pointer;
    if (type === "pointermove") pointer = \`\${screenX} \${screenY}\`;
    const isStill = type === "pointermove" && pointer === before; // The page moved below it.
    const isDecoration = type === "timeupdate" && target.muted;
    if (document.hidden || isStill || isDecoration) return;
    usedAt = Date.now();
    isFrozen = false;
    report();
  };
  const input = ["pointerdown", "pointermove", "keydown", "wheel", "touchmove", "timeupdate"];
  for (const type of [...input, "visibilitychange", "pageshow"]) {
    addEventListener(type, use, { capture: true, passive: true });
  }
  addEventListener("freeze", () => {
    isFrozen = true; // No timer runs from now on.
    report();
  }, true);
  channel.bind("pusher:subscription_succeeded", () => {
    reported = "";
    report();
  });
  setInterval(report, 1_000);
  report();
}
`;
