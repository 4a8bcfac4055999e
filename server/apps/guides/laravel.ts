import type { AppConnection, Guide, GuideFile } from "@/shared/connect.ts";
import { text } from "@/shared/language.ts";
import { longText } from "@/shared/long_text.ts";
import { dotenvValue, singleQuoted, wsPathLine } from "./pusher_js_options.ts";

/** Laravel with Reverb's broadcaster, as `php artisan install:broadcasting` sets it up. */
export function laravelReverbGuide(connection: AppConnection): Guide {
  return {
    id: "laravel",
    title: "Laravel",
    intro: longText(
      "Keep Reverb's broadcaster and Echo as Laravel sets them up, and change only this. ",
      "Rollcall takes the place of `php artisan reverb:start`.",
    ),
    files: [
      { name: text`Shell`, language: "sh", text: "php artisan install:broadcasting\n" },
      ...reverbServerFiles(connection),
      ...reverbEchoFile(connection),
      joinFile,
    ],
  };
}

/** Laravel with Pusher's broadcaster. */
export function laravelPusherGuide(connection: AppConnection): Guide {
  return {
    id: "laravel-pusher",
    title: text`Laravel with Pusher's broadcaster`,
    intro: longText(
      "For an app that broadcasts by Pusher and has its packages, pusher/pusher-php-server, ",
      "laravel-echo and pusher-js.",
    ),
    files: [
      environment("PUSHER", connection, "PUSHER_APP_CLUSTER=self\n"),
      ...pathFile("pusher", connection),
      channelsFile,
      echoFile("pusher", connection),
      joinFile,
    ],
  };
}

/** What a Laravel server with Reverb's broadcaster needs, whatever its pages are made with. */
export function reverbServerFiles(connection: AppConnection): GuideFile[] {
  return [
    environment("REVERB", connection),
    ...pathFile("reverb", connection),
    channelsFile,
  ];
}

function environment(
  prefix: "REVERB" | "PUSHER",
  { id, key, secret, host, port, scheme }: AppConnection,
  further = "",
): GuideFile {
  const lines = `BROADCAST_CONNECTION=${prefix.toLowerCase()}
${prefix}_APP_ID=${dotenvValue(id)}
${prefix}_APP_KEY=${dotenvValue(key)}
${prefix}_APP_SECRET=${dotenvValue(secret)}
${prefix}_HOST=${dotenvValue(host)}
${prefix}_PORT=${port}
${prefix}_SCHEME=${scheme}
${further}VITE_${prefix}_APP_KEY="\${${prefix}_APP_KEY}"
VITE_${prefix}_HOST="\${${prefix}_HOST}"
VITE_${prefix}_PORT="\${${prefix}_PORT}"
VITE_${prefix}_SCHEME="\${${prefix}_SCHEME}"
`;
  return { name: ".env", language: "dotenv", text: lines };
}

/** Laravel reads no path from its `.env`. */
function pathFile(connection: "reverb" | "pusher", { path }: AppConnection): GuideFile[] {
  if (path === "") return [];
  const name = text`config/broadcasting.php, in the options of ${connection}`;
  return [{ name, language: "php", text: `'path' => ${singleQuoted(path)},\n` }];
}

/** The file that Laravel itself writes does, unless Rollcall is below a path. */
function reverbEchoFile(connection: AppConnection): GuideFile[] {
  return connection.path === "" ? [] : [echoFile("reverb", connection)];
}

function echoFile(broadcaster: "reverb" | "pusher", { path }: AppConnection): GuideFile {
  const variables = `import.meta.env.VITE_${broadcaster.toUpperCase()}`;
  const cluster = broadcaster === "pusher" ? '  cluster: "self",\n' : "";
  const script = `import Echo from "laravel-echo";
import Pusher from "pusher-js";
window.Pusher = Pusher;

window.Echo = new Echo({
  broadcaster: "${broadcaster}",
  key: ${variables}_APP_KEY,
${cluster}  wsHost: ${variables}_HOST,
  wsPort: ${variables}_PORT,
  wssPort: ${variables}_PORT,
${wsPathLine(path)}  forceTLS: ${variables}_SCHEME === "https",
  enabledTransports: ["ws", "wss"],
});
`;
  return { name: "resources/js/echo.js", language: "js", text: script };
}

/** The name and the detail are shown to admins only; everything else to all members. */
const channelsFile: GuideFile = {
  name: "routes/channels.php",
  language: "php",
  text: `Broadcast::channel('chart', fn ($user) => [
    'id' => $user->id,
    // Only Rollcall's admins see this.
    'rollcall' => ['name' => $user->name, 'detail' => $user->email],
]);
`,
};

const joinFile: GuideFile = {
  name: "resources/js/app.js",
  language: "js",
  text: `import "./echo";

window.Echo.join("chart")
  .here((members) => console.log(\`\${members.length} online\`))
  .joining((member) => console.log("joined", member.id))
  .leaving((member) => console.log("left", member.id));
`,
};
