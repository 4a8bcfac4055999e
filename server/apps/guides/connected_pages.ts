import type { AppConnection, Guide, GuideFile } from "@/shared/connect.ts";
import { text } from "@/shared/language.ts";
import { longText } from "@/shared/long_text.ts";
import activityScript from "@/packages/client/src/report_activity.js" with { type: "text" };
import pageScript from "@/packages/client/src/report_page.js" with { type: "text" };

/** For pages that are connected: a package that does what the next two guides do, and more. */
export function clientPackageGuide(_connection: AppConnection): Guide {
  return {
    id: "client-package",
    title: text`Client package`,
    intro: longText(
      "Once your pages are connected, this small package reports where people are and who is ",
      "active, tells who is online, and brings pages back within seconds after a restart, which ",
      "takes pusher-js 15. Pages without a bundler take rollcall.min.js of the package.",
    ),
    files: [
      { name: text`Shell`, language: "sh", text: "npm install @rollcall/client\n" },
      { name: text`With Echo`, language: "js", text: joining("window.Echo") },
      { name: text`With pusher-js`, language: "js", text: joining("pusher") },
      ...components,
      { name: text`Without a bundler`, language: "html", text: plainPage },
    ],
  };
}

/** For pages that are connected: they report what they show. The same for every app. */
export function currentPageGuide(_connection: AppConnection): Guide {
  return {
    id: "current-page",
    title: text`Where people are`,
    intro: longText(
      "Once your pages are connected, these lines report the path of each tab and the kind of ",
      "device to Rollcall's admins. They set no cookie and send no query. The client package has ",
      "them; without it, take the plain lines.",
    ),
    files: reporting({
      option: "page",
      script: { name: "report_page.js", language: "js", text: pageScript },
      report: "reportPage",
    }),
  };
}

/**
 * For pages that are connected: they report whether they are used. The same for every app. The lines compare
 * times instead of counting timers: timers of hidden tabs are slow, and none runs in sleep.
 */
export function activityGuide(_connection: AppConnection): Guide {
  return {
    id: "activity",
    title: text`Who is active`,
    intro: longText(
      "An open tab is not a person at work. These lines report whether each tab is used, to ",
      "Rollcall's admins: idle after five minutes without input, or hidden for as long. They say ",
      "nothing of what is done, and set no cookie. The client package has them; without it, take ",
      "the plain lines.",
    ),
    files: reporting({
      option: "activity",
      script: { name: "report_activity.js", language: "js", text: activityScript },
      report: "reportActivity",
    }),
  };
}

/** The package, which has the script; and the script itself, with a call of what it exports. */
function reporting({ option, script, report }: {
  option: "page" | "activity";
  script: GuideFile;
  report: string;
}): GuideFile[] {
  const call = (channel: string) =>
    `import { ${report} } from "./${script.name}";

${report}(${channel});
`;
  return [
    {
      name: text`With @rollcall/client`,
      language: "js",
      text: `import { rollcall } from "@rollcall/client";

rollcall(window.Echo).join("chart", { ${option}: true });
`,
    },
    script,
    { name: text`With Echo`, language: "js", text: call('window.Echo.join("chart").subscription') },
    {
      name: text`With pusher-js`,
      language: "js",
      text: call('pusher.subscribe("presence-chart")'),
    },
  ];
}

function joining(client: string): string {
  return `import { rollcall } from "@rollcall/client";

rollcall(${client}).join("chart", { page: true, activity: true })
  .onCount((count) => console.log(\`\${count} online\`))
  .onMembers((members) => console.log(members.map(({ id }) => id)))
  .onUpdate(({ id, info }) => console.log("changed", id, info));
`;
}

const components: GuideFile[] = [
  {
    name: "Online.jsx",
    language: "jsx",
    text: `import { useRollcall } from "@rollcall/client/react";

export function Online() {
  const options = { page: true, activity: true };
  const { count } = useRollcall(() => window.Echo, "chart", options);
  return <p>{count ?? "…"} online</p>;
}
`,
  },
  {
    name: "Online.vue",
    language: "vue",
    text: `<script setup>
import { useRollcall } from "@rollcall/client/vue";

const options = { page: true, activity: true };
const { count } = useRollcall(() => window.Echo, "chart", options);
</script>

<template>
  <p>{{ count ?? "…" }} online</p>
</template>
`,
  },
  {
    name: "Online.svelte",
    language: "html",
    text: `<script>
import { online } from "@rollcall/client/svelte";

const chart = online(() => window.Echo, "chart", { page: true, activity: true });
</script>

<p>{$chart.count ?? "…"} online</p>
`,
  },
];

const plainPage = `<script src="/rollcall.min.js"></script>
<script>
rollcall(window.Echo).join("chart", { page: true, activity: true });
</script>
`;
