import type { AppCredentials } from "@/realtime/app_config.ts";
import { HttpVisitor } from "../fixtures/http_visitor.ts";
import type { Credentials } from "../fixtures/http_visitor.ts";
import { bystander, joins } from "./bystander.ts";

const headers = { accept: "text/html", "x-forwarded-for": "192.0.2.200" };

/** What a newcomer cannot do while a stranger attacks, in words; undefined when it can do all. */
export async function refusedToNewcomer(
  port: number,
  app: AppCredentials,
  admin: Credentials,
): Promise<string | undefined> {
  try {
    const client = await bystander(port, app, headers["x-forwarded-for"]);
    for (const channel of ["news-of-a-newcomer", "private-newcomer", "presence-chart"]) {
      await joins(client, app, channel, "newcomer").catch(() => {
        throw new Error(`cannot join ${channel}`);
      });
    }
    client.close();
  } catch (error) {
    return `newcomer: ${(error as Error).message}`;
  }
  return await signsIn(port, admin).then((can) => can ? undefined : "admin: cannot sign in");
}

async function signsIn(port: number, { email, password }: Credentials): Promise<boolean> {
  const visitor = new HttpVisitor(`http://127.0.0.1:${port}`);
  await visitor.get("/sign-in", headers);
  const form = new URLSearchParams({ _token: visitor.csrfToken, email, password });
  return (await visitor.send("POST", "/sign-in", form, headers)).status === 303;
}
