import { define } from "@/http/state.ts";
import { personFromUrl } from "@/http/request.ts";
import { exportPerson } from "@/server/people/privacy.ts";

/** Sends all that is stored of a person as a JSON file. */
export const handler = define.handlers({
  async POST(ctx) {
    const person = await personFromUrl(ctx.url, ctx.state);
    const json = await exportPerson(ctx.state, person);
    return new Response(
      ReadableStream.from(json).pipeThrough(new TextEncoderStream()),
      {
        headers: {
          "content-type": "application/json",
          "content-disposition": 'attachment; filename="person.json"',
        },
      },
    );
  },
});
