import { STATUS_CODE } from "@std/http/status";
import { type Context, HttpError, page } from "fresh";
import type { Confirmation } from "@/components/page/ConfirmPage.tsx";
import type { RefusedName } from "@/components/settings/LinksCard.tsx";
import { linkNameSchema } from "@/server/embed/embed_settings.ts";
import { href } from "@/shared/address.ts";
import { requireConfirmation } from "./confirmation.tsx";
import { refuse, wantsJson } from "./rejection.ts";
import { textField } from "./request.ts";
import type { State } from "./state.ts";

/** How something that an admin names is made, such as an embed. */
interface Creation<View> {
  /** The path of the pages of all, and the beginning of the new one's. */
  path: string;
  /** What is said where there are as many as allowed. */
  tooMany(): string;
  /** @returns null when there are as many as allowed. */
  create(name: string): Promise<{ id: string } | null>;
  /** The page that lists all, with a name that is refused. */
  shown(refused: RefusedName): Promise<View>;
}

/** Makes something with the name that was entered, and leads to its page; or shows why it was refused. */
export async function answerCreation<View>(
  ctx: Context<State>,
  { path, tooMany, create, shown }: Creation<View>,
) {
  const { state } = ctx;
  const entered = textField(state.input, "name").trim();
  const name = linkNameSchema.safeParse(entered);
  const made = name.success ? await create(name.data) : null;
  if (made) return ctx.redirect(href(`${path}/${made.id}`), 303);
  const status = STATUS_CODE.UnprocessableEntity;
  const error = name.success ? tooMany() : name.error.issues[0].message;
  if (wantsJson(ctx.req)) return refuse(status, name.success ? "too_many" : "invalid", error);
  return page(await shown({ name: entered, error }), { status });
}

/** How something that an admin made is revoked. */
interface Revocation<Made> {
  /** Null when it does not exist. */
  made: Made | null;
  /** What is answered then, as a sentence. */
  missing: string;
  confirmation(made: Made): Confirmation;
  /** The path of the page that Cancel leads to. */
  back: string;
  /** @returns null when it was revoked meanwhile. */
  revoke(made: Made): Promise<unknown>;
  /** The path to which it leads. */
  done: string;
}

/** Revokes something once that is confirmed. @throws {HttpError} 404 when it does not exist any more. */
export async function answerRevocation<Made>(
  ctx: Context<State>,
  { made, missing, confirmation, back, revoke, done }: Revocation<Made>,
): Promise<Response> {
  if (!made) throw new HttpError(404, missing);
  const question = await requireConfirmation(ctx, confirmation(made), { fields: [], back });
  if (question) return question;
  if (!await revoke(made)) throw new HttpError(404, missing);
  return ctx.redirect(href(done), 303);
}
