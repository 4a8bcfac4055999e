const users = [
  { id: "7", name: "Ada Lovelace", email: "ada@example.com" },
  { id: "8", name: "Grace Hopper", email: "grace@example.com" },
];

/** Who sends a request: here, who the cookie says. Your app asks its session. */
export function userOf(request) {
  const [, id] = /\buser=(\d+)/.exec(request.headers.cookie ?? "") ?? [];
  return users.find((user) => user.id === id);
}
