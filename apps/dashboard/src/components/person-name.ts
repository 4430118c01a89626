import { t } from '../language/translate.ts';

type Me = { readonly uname: string; readonly fullname: string };

/**
 * How a username of a case is spoken of: the reader's own full name, "Automation" for what nobody did by hand, and for
 * colleagues the words of an e-mail style username (`ana.souza@example.com` is "Ana Souza").
 */
export function personName(username: string, me: Me): string {
  // Both stand for nobody; the second is what the product itself set up bears.
  if (username === 'system' || username === 'Automation') return t('Automation');
  if (username === me.uname) return me.fullname;
  if (!username.includes('@')) return username;
  const words = (username.split('@', 1)[0] ?? '').split(/[._]+/).filter((word) => word !== '');
  return words.map((word) => word.slice(0, 1).toUpperCase() + word.slice(1)).join(' ') || username;
}
