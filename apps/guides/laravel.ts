import type { AppConnection, Guide } from "../../shared/connect.ts";

/** Laravel with Reverb's broadcaster, as `php artisan install:broadcasting` sets it up. */
export function laravelReverbGuide(
  { id, key, secret, host, port, scheme }: AppConnection,
): Guide {
  return {
    id: "laravel",
    title: "Laravel",
    intro: "Keep Reverb's broadcaster and Echo as php artisan install:broadcasting sets them up. " +
      "Only these settings change; do not start Reverb itself.",
    files: [
      {
        name: ".env",
        language: "dotenv",
        text: `BROADCAST_CONNECTION=reverb
REVERB_APP_ID=${id}
REVERB_APP_KEY=${key}
REVERB_APP_SECRET=${secret}
REVERB_HOST=${host}
REVERB_PORT=${port}
REVERB_SCHEME=${scheme}
VITE_REVERB_APP_KEY="\${REVERB_APP_KEY}"
VITE_REVERB_HOST="\${REVERB_HOST}"
VITE_REVERB_PORT="\${REVERB_PORT}"
VITE_REVERB_SCHEME="\${REVERB_SCHEME}"
`,
      },
      {
        name: "routes/channels.php",
        language: "php",
        text: `Broadcast::channel('chart', fn (User $user) => [
    'id' => $user->id,
    'rollcall' => ['name' => $user->name, 'detail' => $user->email],
]);
`,
      },
      {
        name: "resources/js/app.js",
        language: "js",
        text: `window.Echo.join("chart")
  .here((members) => console.log(\`\${members.length} online\`));
`,
      },
    ],
  };
}
