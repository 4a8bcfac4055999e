import { mutationsOf } from "../../mutation.ts";

const folder = "tests/browser";

/** What pages do with forms, messages and markup. */
export const page = mutationsOf({
  "browser/messages/toasts.ts": `${folder}/messages/toasts_test.ts`,
  "browser/page/markup.ts": `${folder}/page/markup_test.ts`,
  "browser/page/confirm.ts": "tests/e2e/chromium/disconnect_test.ts",
  "browser/page/sent_forms.ts": `${folder}/page/sent_forms_test.ts`,
  "components/messages/MessageToast.tsx": "tests/e2e/chromium/messages_test.ts",
  "islands/Messages.tsx": "tests/e2e/chromium/messages_test.ts",
}, {
  "browser/messages/toasts.ts": [
    ["toasts.length < mostToasts ? undefined : ", "", "a second message hides the first"],
    ["find(({ id }) => !isHeld(id))", "at(0)", "a message vanishes while it is read"],
    ["Number.isNaN(Date.parse(sentAt)) ? null : ", "", "a damaged message breaks the page"],
    ["100 * text.length", "0 * text.length", "a long message vanishes before it is read"],
  ],
  "browser/page/markup.ts": [
    [
      "element.textContent?.trim() === first ? second : first",
      "second",
      "a toggled text does not change back",
    ],
    ["position = ++resumeAt;", "return false;", "a pattern with a star misses classes"],
    ['while (pattern[at] === "*") at++;', "", "a pattern that ends with a star misses classes"],
    [
      "return at === pattern.length;",
      "return true;",
      "classes that only begin like the pattern are removed",
    ],
  ],
  "browser/page/confirm.ts": [
    ['if (dialog.returnValue === "yes")', "if (true)", "Cancel disconnects the person"],
  ],
  "browser/page/sent_forms.ts": [
    ['if (form.ariaBusy === "true") return;', "", "a double click sends a message twice"],
    ["  form.ariaBusy = null;\n", "", "a form can be sent once only"],
    ["if (accepted) form.reset();", "form.reset();", "a message that was refused is lost"],
    ["accepted: response.ok", "accepted: true", "a message that was refused looks sent"],
    [
      "  } catch {\n",
      "  } catch (error) {\n    throw error;\n",
      "after the network failed a form cannot be sent again",
    ],
  ],
  "components/messages/MessageToast.tsx": [
    [
      "if (isHeld || timeoutMs === null) return;",
      "if (timeoutMs === null) return;",
      "a message vanishes under the pointer",
    ],
    [
      "if (isFocused) (origin.current?.isConnected ? origin.current : page())?.focus();",
      "",
      "the focus is lost with the message that had it",
    ],
  ],
  "islands/Messages.tsx": [
    [
      "isWatched ? readingMs(toast.text) : null",
      "readingMs(toast.text)",
      "a message vanishes while the reader looks at another page",
    ],
  ],
});
