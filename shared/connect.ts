/** Where clients and servers of an app reach Rollcall, and with what. */
export interface AppConnection {
  id: string;
  key: string;
  /** A placeholder until an admin reveals it. */
  secret: string;
  host: string;
  port: number;
  scheme: "http" | "https";
  /** The path of Rollcall's public URL, such as `/rollcall`; empty when it has none. */
  path: string;
}

/** A file of a guide. */
export interface GuideFile {
  /** The path in the reader's project, or a word such as `Shell`. */
  name: string;
  language:
    | "sh"
    | "dotenv"
    | "php"
    | "js"
    | "jsx"
    | "ts"
    | "vue"
    | "html"
    | "markdown"
    | "ruby"
    | "python"
    | "go";
  text: string;
}

/** How an app of one kind is connected. */
export interface Guide {
  /** Unique; part of the page's address. */
  id: string;
  title: string;
  /** What the reader has to know before the files; one sentence or two. */
  intro: string;
  files: GuideFile[];
}
