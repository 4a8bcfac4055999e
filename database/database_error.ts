/** Why the database or a copy of it cannot be used, in one line for whoever started the program. */
export class DatabaseError extends Error {
  override name = "DatabaseError";
}

/** Another process has the database open. */
export class DatabaseInUse extends DatabaseError {
  override name = "DatabaseInUse";
}
