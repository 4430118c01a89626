import entry from './entry.json';

/** Of the pages before the sign-in, and of what every page shares. */
export const texts: Readonly<Record<string, string>> = entry;
