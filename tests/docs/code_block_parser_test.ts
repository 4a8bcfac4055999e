import assert from "node:assert/strict";
import { describe, it } from "@std/testing/bdd";
import { blocksOf } from "./code_blocks.ts";

const document = `# Title

Text.

\`\`\`sh
first
\`\`\`

Not run by the tests: needs another
machine.

\`\`\`sh
second
\`\`\`

\`\`\`sh
third
\`\`\`

## Part

- An item:

  \`\`\`\`md
  \`\`\`js
  # no heading
  \`\`\`
  \`\`\`\`
`;

describe("the blocks of a document", () => {
  const blocks = blocksOf("docs/page.md", document);

  it("have their language, text, heading and line, in a list too", () => {
    assert.deepEqual(
      blocks.map(({ language, text, heading, line }) => ({ language, text, heading, line })),
      [
        { language: "sh", text: "first\n", heading: "Title", line: 5 },
        { language: "sh", text: "second\n", heading: "Title", line: 12 },
        { language: "sh", text: "third\n", heading: "Title", line: 16 },
        { language: "md", text: "```js\n# no heading\n```\n", heading: "Part", line: 24 },
      ],
    );
  });

  it("are marked by the paragraph right before them only", () => {
    assert.deepEqual(blocks.map(({ isMarked }) => isMarked), [false, true, false, false]);
  });

  it("without an end are a fault that names the line", () => {
    assert.throws(() => blocksOf("docs/page.md", "```sh\nls\n"), /docs\/page\.md:1: the block has/);
  });
});
