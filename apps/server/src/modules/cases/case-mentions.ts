/** `@ada.lovelace@example.com`: an at sign and the username, which is an address. */
const MENTION = /(?<![\w@.])@([\w.+'-]{1,64}@[A-Za-z0-9-]+(?:\.[A-Za-z0-9-]+)+)/g;
const MENTIONS_MAX = 20;

/** Usernames a comment names, each once; a dot or comma after one belongs to the sentence. */
export function mentionedIn(comment: string): string[] {
  const named = [...comment.matchAll(MENTION)].map(([, username = '']) => username.toLowerCase());
  return [...new Set(named)].slice(0, MENTIONS_MAX);
}
