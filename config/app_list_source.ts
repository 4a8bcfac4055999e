import { parseAppList, type ParsedAppList } from "./app_list.ts";
import { maxFileBytes, type ReadFile } from "./setting_file.ts";

/** A list of apps in a setting. */
export interface AppList extends ParsedAppList {
  /** The setting that contains the list, for messages. */
  name: "APPS" | "APPS_FILE";
}

/**
 * Reads the list of apps, if one is given.
 *
 * @param problems receives one line for each fault.
 */
export function readAppList(
  { APPS: text, APPS_FILE: path }: { APPS?: string; APPS_FILE?: string },
  readFile: ReadFile,
  problems: string[],
): AppList | undefined {
  if (text !== undefined && path !== undefined) {
    problems.push("APPS_FILE: given, but APPS is too; expected one of them");
    return undefined;
  }
  if (text !== undefined) return { name: "APPS", ...parseAppList(text, "APPS", problems) };
  if (path === undefined) return undefined;
  try {
    return { name: "APPS_FILE", ...parseAppList(readFile(path), "APPS_FILE", problems) };
  } catch {
    problems.push(
      `APPS_FILE: ${JSON.stringify(path)} is not allowed; expected a readable file of at most ` +
        `${maxFileBytes} bytes`,
    );
    return undefined;
  }
}
