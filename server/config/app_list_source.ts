import { parseAppList, type ParsedAppList } from "./app_list.ts";
import { maxFileBytes, type ReadFile } from "./setting_file.ts";
import { soketiAppList } from "./soketi.ts";

/** The settings of Soketi's default app, for messages. */
const soketiApp = "SOKETI_DEFAULT_APP_*";

/** A list of apps in a setting. */
export interface AppList extends ParsedAppList {
  /** The setting that contains the list, for messages. */
  name: "APPS" | "APPS_FILE" | typeof soketiApp;
}

/**
 * Reads the list of apps, if one is given, or the default app of Soketi's settings.
 *
 * @param environment where Soketi's settings are.
 * @param problems receives one line for each fault.
 */
export function readAppList(
  { APPS: text, APPS_FILE: path }: { APPS?: string; APPS_FILE?: string },
  environment: Record<string, string | undefined>,
  readFile: ReadFile,
  problems: string[],
): AppList | undefined {
  const texts: [name: AppList["name"], text: string | undefined][] = [
    ["APPS", text],
    ["APPS_FILE", path],
    [soketiApp, soketiAppList(environment)],
  ];
  const [given, second] = texts.filter(([, value]) => value !== undefined);
  if (second) problems.push(`${second[0]}: given, but ${given[0]} is too; expected one of them`);
  if (!given || second) return undefined;
  const [name, value = ""] = given;
  const list = name === "APPS_FILE" ? listFile(value, readFile, problems) : value;
  return list === undefined ? undefined : { name, ...parseAppList(list, name, problems) };
}

/** The text of the file; undefined when it cannot be read, which is one of the problems then. */
function listFile(path: string, readFile: ReadFile, problems: string[]): string | undefined {
  try {
    return readFile(path);
  } catch {
    problems.push(
      `APPS_FILE: ${JSON.stringify(path)} is not allowed; expected a readable file of at most ` +
        `${maxFileBytes} bytes`,
    );
    return undefined;
  }
}
