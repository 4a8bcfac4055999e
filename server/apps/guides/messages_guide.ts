import type { AppConnection, Guide } from "@/shared/connect.ts";
import { text } from "@/shared/language.ts";
import { longText } from "@/shared/long_text.ts";

/** For pages that are connected: they show what admins write to everyone. The same for every app. */
export function messagesGuide(_connection: AppConnection): Guide {
  return {
    id: "messages",
    title: text`Messages from admins`,
    intro: longText(
      "Once your pages are connected, these lines show what an admin of Rollcall writes to ",
      "everyone online. Without them, users of your app do not see it.",
    ),
    files: [
      {
        name: "show_message.js",
        language: "js",
        text: script,
      },
      {
        name: text`With Echo`,
        language: "js",
        text: `import { showMessage } from "./show_message.js";

window.Echo.join("chart").listen("MessageSent", showMessage);
`,
      },
      {
        name: text`With pusher-js`,
        language: "js",
        text: `import { showMessage } from "./show_message.js";

pusher.subscribe("presence-chart").bind("App\\\\Events\\\\MessageSent", showMessage);
`,
      },
    ],
  };
}

const script = `/** Shows a message in a corner of the page until it is clicked. */
export function showMessage({ from, text }) {
  const message = document.createElement("p");
  message.setAttribute("role", "status");
  message.textContent = \`\${from}: \${text}\`;
  message.style.cssText = "position: fixed; inset: auto 1rem 1rem auto; z-index: 1000; " +
    "max-width: 24rem; margin: 0; padding: 1rem; white-space: pre-line; " +
    "color: CanvasText; background: Canvas; border: 1px solid";
  message.addEventListener("click", () => message.remove());
  document.body.append(message);
}
`;
