import type { AppConnection, Guide, GuideFile } from "@/shared/connect.ts";
import { text } from "@/shared/language.ts";
import { longText } from "@/shared/long_text.ts";
import { isThisMachine } from "../app_connection.ts";
import { clientOptions, doubleQuoted } from "./pusher_js_options.ts";
import { nodeLibrary } from "./server_libraries.ts";

/** Express: a server that signs, and a plain page with pusher-js. */
export function expressGuide(connection: AppConnection): Guide {
  return {
    id: "express",
    title: "Express",
    intro: longText(
      "An auth route that signs for your users, and a page that joins. Only userOf is yours.",
    ),
    files: [
      {
        name: text`Shell`,
        language: "sh",
        text: "npm install express pusher pusher-js\nnode server.mjs\n",
      },
      {
        name: "server.mjs",
        language: "js",
        text: `import express from "express";
${nodeLibrary(connection, 'import { userOf } from "./user.mjs";\n')}
const app = express();

app.post("/pusher/auth", express.urlencoded({ extended: false }), async (request, response) => {
  const { socket_id: socketId, channel_name: channel } = request.body ?? {};
  const user = await userOf(request);
  if (!user || channel !== "presence-chart") {
    return response.status(403).json({ message: "Not allowed" });
  }
  response.json(pusher.authorizeChannel(socketId, channel, {
${member("    ")}  }));
});

app.use("/pusher-js", express.static("node_modules/pusher-js/dist/web"));
app.use(express.static("public"));

const { PORT: port = 3000 } = process.env;
app.listen(port, () => console.log(\`Open http://localhost:\${port}\`));
`,
      },
      userFile(
        "user.mjs",
        "return request.user ?? null; // As Passport and others set it.",
        connection,
      ),
      {
        name: "public/index.html",
        language: "html",
        text: `<!doctype html>
<title>Online</title>
<p id="online">Connecting …</p>
<script src="/pusher-js/pusher.min.js"></script>
<script type="module">
const online = document.querySelector("#online");
${subscription(connection)}
const show = () => online.textContent = \`\${channel.members.count} online\`;
channel.bind("pusher:subscription_succeeded", show);
channel.bind("pusher:member_added", show);
channel.bind("pusher:member_removed", show);
channel.bind("pusher:subscription_error", ({ status }) => {
  online.textContent = \`Refused with status \${status}\`;
});
</script>
`,
      },
    ],
  };
}

/** Next.js: a route handler that signs, and a client component. */
export function nextGuide(connection: AppConnection): Guide {
  return {
    id: "next",
    title: "Next.js",
    intro: longText(
      "A route handler of the App Router that signs for your users, and a component for your ",
      "pages, <OnlineCount />. Only userOf is yours.",
    ),
    files: [
      { name: text`Shell`, language: "sh", text: "npm install pusher pusher-js\n" },
      {
        name: "app/pusher/auth/route.js",
        language: "js",
        text: `${nodeLibrary(connection, 'import { userOf } from "./user.js";\n')}
export async function POST(request) {
  const form = await request.formData();
  const channel = form.get("channel_name");
  const user = await userOf(request);
  if (!user || channel !== "presence-chart") {
    return Response.json({ message: "Not allowed" }, { status: 403 });
  }
  return Response.json(pusher.authorizeChannel(form.get("socket_id"), channel, {
${member("    ")}  }));
}
`,
      },
      userFile(
        "app/pusher/auth/user.js",
        "return null; // Your session check, such as auth() of Auth.js.",
        connection,
      ),
      {
        name: "app/OnlineCount.jsx",
        language: "jsx",
        text: `"use client";

${onlineCountComponent(connection)}`,
      },
    ],
  };
}

/** React without Laravel: a component, for a server that signs as the guides for Express and Next.js do. */
export function reactPusherGuide(connection: AppConnection): Guide {
  return {
    id: "react-pusher",
    title: "React",
    intro: longText(
      "For React without Laravel, such as an app of Vite: a component, <OnlineCount />. ",
      "endpoint is the route of your server that signs, here the route of the guides for Express and ",
      "Next.js.",
    ),
    files: [
      { name: text`Shell`, language: "sh", text: "npm install pusher-js\n" },
      { name: "src/OnlineCount.jsx", language: "jsx", text: onlineCountComponent(connection) },
    ],
  };
}

/** A component of React that joins while it is shown. */
function onlineCountComponent(connection: AppConnection): string {
  return `import Pusher from "pusher-js";
import { useEffect, useState } from "react";

export function OnlineCount() {
  const [count, setCount] = useState(0);
  useEffect(() => {
${indented(subscription(connection))}
    const show = () => setCount(channel.members.count);
    channel.bind("pusher:subscription_succeeded", show);
    channel.bind("pusher:member_added", show);
    channel.bind("pusher:member_removed", show);
    channel.bind("pusher:subscription_error", ({ status }) => console.warn("refused", status));
    return () => pusher.disconnect();
  }, []);
  return <p>{count} online</p>;
}
`;
}

/** The lines that connect a page, and join. */
function subscription(connection: AppConnection): string {
  return `const pusher = new Pusher(${doubleQuoted(connection.key)}, {
${clientOptions(connection)}  channelAuthorization: { endpoint: "/pusher/auth", transport: "ajax" },
});
const channel = pusher.subscribe("presence-chart");`;
}

/** What is signed of a member. */
function member(indentation: string): string {
  return [
    "user_id: String(user.id),",
    "user_info: { id: String(user.id) },",
    "// Only Rollcall's admins see this.",
    "rollcall: { name: user.name, detail: user.email },",
  ].map((line) => `${indentation}${line}\n`).join("");
}

function indented(lines: string): string {
  return lines.replace(/^/gm, "    ");
}

/** The reader's own session check. For a trial on one's own machine, a user that is made up. */
function userFile(name: string, check: string, { host }: AppConnection): GuideFile {
  const isTrial = isThisMachine(host);
  const module = isTrial
    ? `/** Who sends a request. For a trial, everyone is Ada: put your own session check here. */
export function userOf(request) {
  return { id: 7, name: "Ada Lovelace", email: "ada@example.com" };
}
`
    : `/** Who sends a request, with id, name and email; null when signed out. */
export function userOf(request) {
  ${check}
}
`;
  return { name, language: "js", text: module };
}
