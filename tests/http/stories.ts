import type { Story } from "@/tools/mutate/story.ts";

/** What users would notice of faults, and the tests that notice them first. */
export const stories: readonly Story[] = [
  {
    what: "sockets cannot be opened in an app with a path",
    file: "http/prefixed_app.ts",
    from: 'request.headers.get("upgrade")?.toLowerCase() === "websocket"',
    to: "false",
    tests: ["tests/http/request_steps_test.ts"],
  },
  {
    what: "half a body is taken as whole",
    file: "http/input.ts",
    from: "if (isLate) throw new HttpError",
    to: "if (false) throw new HttpError",
    tests: ["tests/http/body_reader_test.ts"],
  },
  {
    what: "a body that ends early is filled with zeros",
    file: "http/input.ts",
    from: "length === size ? bytes : throwEndedEarly()",
    to: "bytes",
    tests: ["tests/http/body_reader_test.ts"],
  },
  {
    what: "a form of another site is taken where only Sec-Fetch-Site tells",
    file: "http/request.ts",
    from: "if (site !== null) return",
    to: "if (site !== null && false) return",
    tests: ["tests/http/request_steps_test.ts"],
  },
  {
    what: "a viewer messages everyone",
    file: "http/route_permissions.ts",
    from: '["POST /admin/messages", "act"]',
    to: '["POST /admin/messages", "view"]',
    tests: ["tests/http/sign_in_test.ts"],
  },
  {
    what: "a page that is refused for a while reads as a fault of the server",
    file: "http/error_pages.tsx",
    from: "(error.status < 500 || error.status === 503)",
    to: "error.status < 500",
    tests: ["tests/http/error_pages_test.tsx"],
  },
  {
    what: "everyone reads the address and key of the installation in the documentation",
    file: "http/docs_example.ts",
    from: 'may(session?.user.role, "manage")',
    to: "true",
    tests: ["tests/http/docs_example_test.ts"],
  },
  {
    what: "documents can bring HTML of their own into pages",
    file: "deploy/docs/markdown.ts",
    from: "isComment(raw)",
    to: "true",
    tests: ["tests/deploy/docs/docs_test.ts"],
  },
  {
    what: "a search in the documentation finds the middle of words",
    file: "shared/docs_search.ts",
    from: "if (at === 0 || ",
    to: "if (true || ",
    tests: ["tests/deploy/docs/docs_test.ts"],
  },
];
