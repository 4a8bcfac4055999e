import { type Exchange, exchange } from "../exchange.ts";
import type { Journey, Step } from "../step.ts";
import {
  newSelfRequest,
  readAnswer,
  selfRequestPath,
  type Sighting,
  testCookie,
} from "../probe.ts";
import { codeOf } from "../printable.ts";
import { below } from "../target.ts";
import { failed, ok, type Verdict } from "../verdict.ts";

/** How often it is asked: those who share the work of one address rarely leave one out of so many. */
const questions = 4;

/** The server is this installation, and one process. */
export const installationStep: Step = {
  name: "installation",
  title: "This installation",
  needs: ["page"],
  async run(journey) {
    const seen: (Sighting | null)[] = [];
    let status = 0;
    for (let count = 0; count < questions; count++) {
      try {
        const { answer, sighting } = await ask(journey);
        if (sighting) journey.seen ??= { sighting, exchange: answer };
        status = answer.status;
        seen.push(sighting);
      } catch (error) {
        return failed(
          `One of ${questions} requests is not answered (${codeOf(error)}).`,
          "See in the log of the proxy and of Rollcall where it stays.",
        );
      }
    }
    return installationVerdict(seen, status);
  },
};

async function ask({ target, patienceMs }: Journey): Promise<{
  answer: Exchange;
  sighting: Sighting | null;
}> {
  const question = newSelfRequest(target.secret);
  const answer = await exchange(below(target.pages, `${selfRequestPath}?question=${question}`), {
    headers: { accept: "application/json", cookie: testCookie, origin: target.pages.origin },
  }, patienceMs);
  return { answer, sighting: readAnswer(target.secret, question, answer.body) };
}

/** Judges the answers to the same question; null is one that this installation did not give. */
export function installationVerdict(seen: (Sighting | null)[], status: number): Verdict {
  const known = seen.filter((sighting) => sighting !== null);
  if (known.length === 0) {
    return failed(
      `A Rollcall answers, but not this one (status ${status}): it has another APP_KEY.`,
      "Run the check with the settings of the server that is there: the same APP_KEY or, without " +
        "one, the same DATA_DIR.",
      "If those are the same, let the proxy pass the address on to this Rollcall, with the query; " +
        "and let the server be of the same version.",
    );
  }
  if (known.length < seen.length) {
    return failed(
      "Two servers share the address: this installation, and one with another APP_KEY.",
      "Let the proxy pass everything on to this one.",
    );
  }
  const processes = new Set(known.map(({ process }) => process)).size;
  if (processes > 1) {
    return failed(
      `${processes} processes share the address. Each counts only its own users.`,
      "Run one process, and let the proxy (`upstream` in nginx, `balancer://` in Apache) pass " +
        "everything on to it.",
    );
  }
  return ok("The server there is this installation.");
}
