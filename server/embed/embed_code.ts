import type { Guide } from "@/shared/connect.ts";
import type { EmbedFormat } from "@/shared/embed.ts";

const title = "Users online";

/** The code that shows an embed on another site, as blocks to copy. */
export function embedCode(addresses: Record<EmbedFormat, string>): Guide[] {
  return [
    {
      id: "badge",
      title: "Badge",
      intro: "An image that is as wide as its text, light or dark as the reader prefers. " +
        "Add ?theme=light or ?theme=dark for a page with colors of its own.",
      files: [
        {
          name: "HTML",
          language: "html",
          text: `<img src="${addresses.svg}" alt="${title}" height="28">`,
        },
        {
          name: "Markdown",
          language: "markdown",
          text: `![${title}](${addresses.svg})`,
        },
      ],
    },
    {
      id: "frame",
      title: "Frame",
      intro: "A page that follows the count every 15 seconds. Only the origins below may frame it.",
      files: [{
        name: "HTML",
        language: "html",
        text: `<iframe src="${addresses.page}" title="${title}" width="240" height="80"\n` +
          `  loading="lazy" style="border: 0"></iframe>`,
      }],
    },
    {
      id: "json",
      title: "JSON",
      intro: "The number alone. A script on another site can read it if its origin may, see below.",
      files: [
        { name: "Shell", language: "sh", text: `curl ${addresses.json}` },
        {
          name: "JavaScript",
          language: "js",
          text: `const response = await fetch("${addresses.json}");\n` +
            `const { users } = await response.json();`,
        },
      ],
    },
  ];
}
