import { randomInt } from 'node:crypto';

/** Tests take the server for one behind a proxy on this machine, so that each person has an address of their own. */
export const behindProxy = { TRUSTED_PROXIES: '127.0.0.1' };

/** Somebody at a computer of their own, without a browser: keeps cookies and sends our own origin. */
export type Visitor = {
  /** Where the server sees the calls come from, when it trusts this machine as a proxy. */
  readonly address: string;
  cookies(): { name: string; value: string }[];
  /** Throws for anything but success. */
  get<T>(path: string): Promise<T>;
  post<T>(path: string, body?: object, headers?: Record<string, string>): Promise<T>;
};

/** An address of its own for each, of the range for benchmarks: sign-in calls are limited by address. */
export function newAddress(): string {
  return `198.${randomInt(18, 20)}.${randomInt(256)}.${randomInt(1, 255)}`;
}

export function createVisitor(url: string): Visitor {
  const address = newAddress();
  const jar = new Map<string, string>();

  async function send<T>(path: string, init: RequestInit): Promise<T> {
    const cookie = [...jar].map(([name, value]) => `${name}=${value}`).join('; ');
    const headers = { 'x-forwarded-for': address, origin: url, ...(cookie === '' ? {} : { cookie }), ...init.headers };
    const answer = await fetch(new URL(path, url), { ...init, headers });
    for (const line of answer.headers.getSetCookie()) {
      const [pair = ''] = line.split(';', 1);
      jar.set(pair.slice(0, pair.indexOf('=')), pair.slice(pair.indexOf('=') + 1));
    }
    const text = await answer.text();
    if (!answer.ok) throw new Error(`${path} answered ${answer.status}: ${text}`);
    return (text === '' ? {} : JSON.parse(text)) as T;
  }

  return {
    address,
    cookies: () => [...jar].map(([name, value]) => ({ name, value })),
    get: (path) => send(path, { method: 'GET' }),
    post: (path, body = {}, headers = {}) =>
      send(path, {
        method: 'POST',
        body: JSON.stringify(body),
        headers: { 'content-type': 'application/json', ...headers },
      }),
  };
}
