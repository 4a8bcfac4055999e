/** The database or a copy of it cannot be used. The message is one line for the console. */
export class DatabaseError extends Error {
  override name = "DatabaseError";
}

/** Another process has the database open. */
export class DatabaseInUse extends DatabaseError {
  override name = "DatabaseInUse";
}
