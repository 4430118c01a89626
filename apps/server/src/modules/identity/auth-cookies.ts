/** The signed cookie of that name as it came, and what it holds without the signature. */
export function cookieValue(header: string | undefined, name: string): { pair: string; value: string } | undefined {
  for (const part of header?.split(';') ?? []) {
    const pair = part.trim();
    const [key = '', text = ''] = pair.split('=', 2);
    if (key !== name && key !== `__Host-${name}`) continue;
    return { pair, value: text.split('.', 1)[0] ?? '' };
  }
  return undefined;
}
