/** How long a password may be, in characters. */
export const passwordLength = { minimum: 10, maximum: 256 };

/** The longest text that is searched for, in UTF-16 units. */
export const longestQuery = 100;

/** Links that work at the same time; as many revoked ones are remembered. */
export const mostWallboardLinks = 100;

/** The longest text of a message, in UTF-16 units. */
export const longestMessage = 500;
