import { z } from "zod";
import { mostEmbedOrigins } from "@/shared/limits.ts";
import type { EmbedActivity, EmbedFormat, EmbedReaders } from "@/shared/wallboard.ts";
import type { Guide } from "@/shared/connect.ts";
import { text } from "@/shared/language.ts";
import { keyText, longText } from "@/shared/long_text.ts";

/** The label of an embed until an admin gives it another: readers see it in their language. */
export const usualLabel = "online";

/** What an admin sets of an embed. */
export interface EmbedSettings {
  /** For admins. */
  name: string;
  /** What follows the number: {@link usualLabel}, or what it is set to. */
  label: string;
  /** The origins that may frame the page, as `https://example.com`. */
  origins: string[];
  readers: EmbedReaders;
  activity: EmbedActivity;
}

/** Settings that were read, or the field that is invalid. */
export type ReadSettings<Settings> =
  | { ok: true; settings: Settings }
  | { ok: false; field: string; message: string };

/** The name of an embed or site tag that was entered. */
export const linkNameSchema = lineSchema(keyText("Enter a name."), 100);

/** An http or https origin. It goes into a header, so its host has letters, digits, dots and hyphens only. */
const originSchema = z.string().transform((entered, context) => {
  const url = URL.parse(entered);
  const isOrigin = url && /^https?:$/.test(url.protocol) && /^[a-z0-9.-]+$/.test(url.hostname) &&
    url.href === `${url.origin}/`;
  if (isOrigin) return url.origin;
  const excerpt = entered.length > 60 ? `${entered.slice(0, 60)}…` : entered;
  context.addIssue(text`${excerpt} is not an origin such as https://example.com.`);
  return z.NEVER;
});

const originsSchema = z.array(originSchema)
  .max(mostEmbedOrigins, { error: () => text`At most ${mostEmbedOrigins} origins.` })
  .transform((origins) => [...new Set(origins)]);

/** A text that lists origins, separated by spaces, commas or lines. */
export const originListSchema = z.string().max(8_000, { error: () => text`Too long.` })
  .transform((list) => list.split(/[\s,]+/).filter((part) => part !== ""))
  .pipe(originsSchema);

const settingsSchema = z.object({
  name: linkNameSchema,
  label: lineSchema(keyText("Enter a label."), 40),
  origins: originListSchema,
  readers: z.enum(["none", "listed", "any"]),
  // Forms of before do not have it.
  activity: z.enum(["", "none", "json", "all"]).transform((activity) => activity || "none"),
});

function lineSchema(missing: string, length: number) {
  return z.string().trim().min(1, { error: () => longText(missing) })
    .max(length, { error: () => text`At most ${length} characters.` })
    .refine(
      (line) => !/\p{Cc}|\p{Cs}|\p{Bidi_Control}|\p{Noncharacter_Code_Point}/u.test(line),
      { error: () => text`Remove control characters.` },
    );
}

/** Reads the settings of a form; its origins are separated by spaces, commas or lines. */
export function readEmbedSettings(
  input: Record<keyof EmbedSettings, string>,
): ReadSettings<EmbedSettings> {
  return readSettings(settingsSchema, input);
}

/** Reads a form by its schema. */
export function readSettings<Settings>(
  schema: z.ZodType<Settings>,
  input: Record<string, string>,
): ReadSettings<Settings> {
  const result = schema.safeParse(input);
  if (result.success) return { ok: true, settings: result.data };
  const [{ path, message }] = result.error.issues;
  return { ok: false, field: String(path[0]), message };
}

const title = "Online now";

/** The code that shows an embed on another site, as blocks to copy. */
export function embedCode(addresses: Record<EmbedFormat, string>): Guide[] {
  return [
    {
      id: "badge",
      title: text`Badge`,
      intro: longText(
        "An image that is as wide as its text, light or dark as the reader prefers. ",
        "Add ?theme=light or ?theme=dark for a page with colors of its own.",
      ),
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
      title: text`Frame`,
      intro:
        text`A page that updates the count every 15 seconds. Only the origins below may frame it.`,
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
      intro:
        text`The number alone. A script on another site can read it if its origin may, see below.`,
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
