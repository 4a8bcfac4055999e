import assert from "node:assert/strict";
import { describe, it } from "@std/testing/bdd";
import { signRequest } from "@/realtime/protocol/signature.ts";
import { app } from "../harness.ts";
import { authenticated, reasonOf, then } from "./authenticated.ts";

const auth = `auth_key=${app.key}&auth_timestamp=1353088179&auth_version=1.0`;

/** How libraries send and sign parameters, and the parameters that the API reads. */
const spellings: { what: string; sent: string; signed: string; read: Record<string, string> }[] = [
  {
    what: "values that are sent as they are signed",
    sent: "filter_by_prefix=presence-a,b;c@d.e=f",
    signed: "filter_by_prefix=presence-a,b;c@d.e=f",
    read: { filter_by_prefix: "presence-a,b;c@d.e=f" },
  },
  {
    what: "values that are escaped after signing",
    sent: "filter_by_prefix=presence-a%2Cb%3Bc%40d%3De",
    signed: "filter_by_prefix=presence-a,b;c@d=e",
    read: { filter_by_prefix: "presence-a,b;c@d=e" },
  },
  {
    what: "values that are escaped before signing",
    sent: "filter_by_prefix=a%2Cb",
    signed: "filter_by_prefix=a%2Cb",
    read: { filter_by_prefix: "a%2Cb" },
  },
  {
    what: "a space as a plus",
    sent: "note=a+b",
    signed: "note=a b",
    read: { note: "a b" },
  },
  {
    what: "a plus as itself",
    sent: "note=a+%C3%A9",
    signed: "note=a+é",
    read: { note: "a+é" },
  },
  {
    what: "names in capitals, signed in lower case",
    sent: "Info=user_count",
    signed: "info=user_count",
    read: { info: "user_count" },
  },
  {
    what: "a list with numbers, signed joined",
    sent: "info%5B0%5D=user_count&info%5B1%5D=cache",
    signed: "info=user_count,cache",
    read: { info: "user_count,cache" },
  },
  {
    what: "a list without numbers, signed as it is",
    sent: "info[]=user_count&info[]=cache",
    signed: "info[]=user_count&info[]=cache",
    read: { info: "user_count,cache" },
  },
  {
    what: "a name that is repeated, signed as it is",
    sent: "info=user_count&info=cache",
    signed: "info=user_count&info=cache",
    read: { info: "user_count,cache" },
  },
  {
    what: "a parameter without a value",
    sent: "info",
    signed: "info=",
    read: { info: "" },
  },
];

/** The path that arrives, the path that was signed, and whether it is the same call. */
const paths = [
  { arrives: "/apps/1/channels", signed: "/apps/1/channels", same: true },
  { arrives: "/realtime/apps/1/channels", signed: "/apps/1/channels", same: true },
  { arrives: "/a/b/apps/1/channels", signed: "/a/b/apps/1/channels", same: true },
  { arrives: "/apps/1/users/a%20b/terminate", signed: "/apps/1/users/a b/terminate", same: true },
  { arrives: "/apps/1/users/a%20b/terminate", signed: "/apps/1/users/a%20b/terminate", same: true },
  { arrives: "/apps/1/channels", signed: "/realtime/apps/1/channels", same: false },
  { arrives: "/apps/2/channels", signed: "/apps/1/channels", same: false },
  { arrives: "/apps/1/channels/a%2Fusers", signed: "/apps/1/channels/a/users", same: false },
  { arrives: "/apps/1/channels/a%0Aa=b", signed: "/apps/1/channels/a\na=b", same: false },
];

describe("The signature of a query", () => {
  /** The call in Pusher's reference. */
  const published = {
    pathname: "/apps/3/events",
    query: "auth_key=278d425bdf160c739803&auth_timestamp=1353088179&auth_version=1.0" +
      "&body_md5=ec365a775a4cd0599faeb73354201b6f",
    signature: "da454824c97ba181a32ccc17a72625ba02771f50b50e1e7430e47a1f3f457e6c",
  };
  it("that Pusher publishes as an example is verified", () => {
    const { pathname, query, signature } = published;
    const parameters = authenticated(pathname, `${query}&auth_signature=${signature}`);
    assert.equal(parameters.body_md5, "ec365a775a4cd0599faeb73354201b6f");
  });

  it("may be 600 seconds old, or that far in the future", () => {
    const { pathname, query, signature } = published;
    const at = (seconds: number) =>
      reasonOf(() =>
        authenticated(
          pathname,
          `${query}&auth_signature=${signature}`,
          "POST",
          then + 1000 * seconds,
        )
      );
    assert.equal(at(600), "accepted");
    assert.equal(at(-600), "accepted");
    assert.equal(at(601), "expired_timestamp");
    assert.equal(at(-601), "expired_timestamp");
  });

  for (const { what, sent, signed, read } of spellings) {
    it(`is verified for ${what}`, () => {
      const text = `GET\n/apps/1/channels\n${auth}&${signed}`;
      const query = `${sent}&auth_signature=${signRequest(app, text)}&${auth}`;
      const all = authenticated("/apps/1/channels", query, "GET");
      const parameters = Object.entries(all).filter(([name]) => !name.startsWith("auth_"));
      assert.deepEqual(Object.fromEntries(parameters), read);
    });
  }

  for (const { arrives, signed, same } of paths) {
    const name = `a call to ${arrives} is ${same ? "" : "not "}the one signed as ${signed}`;
    it(name.replace("\n", "\\n"), () => {
      const signature = signRequest(app, `GET\n${signed}\n${auth}`);
      const query = `${auth}&auth_signature=${signature}`;
      assert.equal(
        reasonOf(() => authenticated(arrives, query, "GET")),
        same ? "accepted" : "invalid_signature",
      );
    });
  }

  it("is never valid for two different sets of parameters", () => {
    const text = `GET\n/apps/1/channels\n${auth}&filter_by_prefix=a&info=cache`;
    const signature = signRequest(app, text);
    const right = `${auth}&filter_by_prefix=a&info=cache&auth_signature=${signature}`;
    const other = `${auth}&filter_by_prefix=a%26info%3Dcache&auth_signature=${signature}`;
    assert.equal(reasonOf(() => authenticated("/apps/1/channels", right, "GET")), "accepted");
    assert.equal(
      reasonOf(() => authenticated("/apps/1/channels", other, "GET")),
      "invalid_signature",
    );
  });
});
