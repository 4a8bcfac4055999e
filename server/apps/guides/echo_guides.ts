import type { AppConnection, Guide } from "@/shared/connect.ts";
import { text } from "@/shared/language.ts";
import { longText } from "@/shared/long_text.ts";
import { reverbServerFiles } from "./laravel.ts";
import { clientOptions, doubleQuoted, wsPathLine } from "./pusher_js_options.ts";

/** Echo alone, with every value in the script. */
export function echoGuide(connection: AppConnection): Guide {
  return {
    id: "echo",
    title: "Echo",
    intro: longText(
      "For pages without Vite, or with a server other than Laravel: authEndpoint is the ",
      "route of your server that signs, here the route of the guides for Express and Next.js. Laravel's ",
      "is /broadcasting/auth.",
    ),
    files: [
      { name: text`Shell`, language: "sh", text: "npm install laravel-echo pusher-js\n" },
      {
        name: "echo.js",
        language: "js",
        text: `import Echo from "laravel-echo";
import Pusher from "pusher-js";

window.Echo = new Echo({
  broadcaster: "pusher",
  Pusher,
  key: ${doubleQuoted(connection.key)},
${clientOptions(connection)}  authEndpoint: "/pusher/auth",
});

window.Echo.join("chart")
  .here((members) => console.log(\`\${members.length} online\`))
  .joining((member) => console.log("joined", member.id))
  .leaving((member) => console.log("left", member.id));
`,
      },
    ],
  };
}

/** Laravel with the hooks of `@laravel/echo-react`. */
export function reactGuide(connection: AppConnection): Guide {
  return {
    id: "react",
    title: text`Laravel with React`,
    intro: text`The hooks of @laravel/echo-react take the values from the VITE_ lines of .env.`,
    files: [
      { name: text`Shell`, language: "sh", text: "npm install @laravel/echo-react pusher-js\n" },
      ...reverbServerFiles(connection),
      { name: "resources/js/echo.js", language: "js", text: configuration("react", connection) },
      {
        name: "resources/js/OnlineCount.jsx",
        language: "jsx",
        text: `import "./echo";
import { useEchoPresence } from "@laravel/echo-react";
import { useEffect, useState } from "react";

export function OnlineCount() {
  const [members, setMembers] = useState([]);
  const { channel } = useEchoPresence("chart");
  useEffect(() => {
    channel()
      .here(setMembers)
      .joining((member) => setMembers((others) => [...others, member]))
      .leaving(({ id }) => setMembers((all) => all.filter((member) => member.id !== id)));
  }, [channel]);
  return <p>{members.length} online</p>;
}
`,
      },
    ],
  };
}

/** Laravel with the composables of `@laravel/echo-vue`. */
export function vueGuide(connection: AppConnection): Guide {
  return {
    id: "vue",
    title: text`Laravel with Vue`,
    intro: text`The composables of @laravel/echo-vue take the values from the VITE_ lines of .env.`,
    files: [
      { name: text`Shell`, language: "sh", text: "npm install @laravel/echo-vue pusher-js\n" },
      ...reverbServerFiles(connection),
      { name: "resources/js/echo.js", language: "js", text: configuration("vue", connection) },
      {
        name: "resources/js/OnlineCount.vue",
        language: "vue",
        text: `<script setup>
import "./echo";
import { useEchoPresence } from "@laravel/echo-vue";
import { ref } from "vue";

const members = ref([]);
useEchoPresence("chart").channel()
  .here((here) => members.value = here)
  .joining((member) => members.value.push(member))
  .leaving(({ id }) => members.value = members.value.filter((member) => member.id !== id));
</script>

<template>
  <p>{{ members.length }} online</p>
</template>
`,
      },
    ],
  };
}

function configuration(framework: "react" | "vue", { path }: AppConnection): string {
  return `import { configureEcho } from "@laravel/echo-${framework}";

configureEcho({
  broadcaster: "reverb",
${wsPathLine(path)}});
`;
}
