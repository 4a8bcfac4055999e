import { strict as assert } from "node:assert";
import { describe, it } from "@std/testing/bdd";
import type { Context } from "fresh";
import { claimSocketOrRefuse } from "@/http/socket_claim.ts";
import type { State } from "@/http/state.ts";

describe("claiming a socket", () => {
  it("is refused for a user who is disabled during the request", async () => {
    const session = { id: "1", user: { id: "a".repeat(32), role: "user" } };
    let isDisabled = false;
    const askWhile = (happening: () => void) => {
      const state = {
        session,
        visitor: { id: session.user.id, kind: "user", isAdmin: false },
        config: { admitGuests: false },
        accounts: { session: () => Promise.resolve(isDisabled ? null : session) },
        allServers: {
          claimSocket() {
            happening();
            return Promise.resolve("claimed");
          },
        },
      };
      const context = { state, req: new Request("http://localhost/") };
      // It has what the claim uses of a context, and nothing else.
      return claimSocketOrRefuse(context as unknown as Context<State>, "1.2");
    };
    assert.equal(await askWhile(() => {}), null);
    const refusal = await askWhile(() => isDisabled = true);
    assert.equal(refusal?.status, 403);
    assert.equal((await refusal?.json()).reason, "not_signed_in");
  });
});
