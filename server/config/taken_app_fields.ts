import { documentedAppFields } from "./app_fields.ts";
import { fieldNameOf } from "./app_field_names.ts";
import {
  type ForeignField,
  reverbFields,
  soketiFields,
  soketiWebhookFields,
} from "./foreign_app_fields.ts";

/** What is made of an app of a list. */
export interface TakenFields {
  /** The app with its own fields, and those that no server knows. */
  fields: unknown;
  /** Fields of other servers that have no meaning here, by their names there. */
  ignored: string[];
}

const foreign = byFieldName({ ...soketiFields, ...reverbFields });
const foreignOfWebhook = byFieldName(soketiWebhookFields);

/**
 * Takes an app of another server's list over: fields that have their meaning under another name get
 * that name, those that have none here are left out.
 *
 * @param app any JSON value, with names in snake_case.
 * @param onDuplicate called with the name of each field that is given by two names.
 */
export function takeAppFields(app: unknown, onDuplicate: (name: string) => void): TakenFields {
  if (typeof app !== "object" || app === null || Array.isArray(app)) {
    return { fields: app, ignored: [] };
  }
  const ignored: string[] = [];
  const fields = new Map<string, unknown>();
  for (const [name, value] of Object.entries(app)) {
    const field = Object.hasOwn(documentedAppFields, name) ? undefined : foreign.get(name);
    const taken = field?.ours ?? name;
    const converted = field?.convert ? field.convert(value) : value;
    if (field && field.ours === undefined) ignored.push(...namedIfSet(field.name, value));
    else if (fields.has(taken)) onDuplicate(taken);
    else if (converted !== undefined) fields.set(taken, converted);
  }
  if (Number.isInteger(fields.get("id"))) fields.set("id", String(fields.get("id")));
  if (fields.has("webhooks")) fields.set("webhooks", takeWebhooks(fields.get("webhooks"), ignored));
  return { fields: Object.fromEntries(fields), ignored };
}

/** The webhooks of an app; a database has them as the text of a list. */
function takeWebhooks(value: unknown, ignored: string[]): unknown {
  const list = typeof value === "string" ? parsed(value) : value;
  if (!Array.isArray(list)) return list;
  return list.flatMap((webhook: unknown) => {
    if (typeof webhook !== "object" || webhook === null || Array.isArray(webhook)) return [webhook];
    const entries = Object.entries(webhook);
    const own = Object.fromEntries(entries.filter(([name]) => !foreignOfWebhook.has(name)));
    for (const [name, item] of entries) {
      const field = foreignOfWebhook.get(name);
      if (field) ignored.push(...namedIfSet(`webhooks.${field.name}`, item));
    }
    return "lambda_function" in webhook && !("url" in own) ? [] : [own];
  });
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

/** The name, unless the value is none: no limit, or an empty list or object. */
function namedIfSet(name: string, value: unknown): string[] {
  const isEmpty = typeof value === "object" && Object.keys(value ?? {}).length === 0;
  return isEmpty || Number(value) === -1 ? [] : [name];
}

function byFieldName(fields: Record<string, ForeignField>) {
  return new Map(
    Object.entries(fields).map(([name, field]) => [fieldNameOf(name), { ...field, name }]),
  );
}
