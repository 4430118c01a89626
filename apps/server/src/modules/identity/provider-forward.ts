import { AppError } from '../../http/app-error.ts';
import type { AuthAnswer, AuthCall } from './auth-call.ts';
import { AUTH_ORIGIN, AUTH_PATH, type SignInProvider } from './sign-in-provider.ts';

/** Hands a call to the sign-in provider in this process, under the same path. */
export async function forward(provider: SignInProvider, call: AuthCall): Promise<AuthAnswer> {
  const [method = 'GET', path = ''] = call.id.split(' ');
  const headers = new Headers({ 'x-airdeck-client': call.clientAddress });
  if (call.cookie !== undefined && call.cookie !== '') headers.set('cookie', call.cookie);
  if (call.userAgent !== undefined) headers.set('user-agent', call.userAgent.slice(0, 300));
  const init: RequestInit = { method, headers };
  if (method === 'POST') {
    headers.set('content-type', 'application/json');
    init.body = JSON.stringify(call.body ?? {});
  }
  const response = await provider.handler(new Request(`${AUTH_ORIGIN}${AUTH_PATH}${path}`, init));
  const text = await response.text();
  const body: unknown = text === '' ? {} : JSON.parse(text);
  if (response.status >= 500)
    throw new AppError('INTERNAL', { cause: new Error(`sign-in provider ${response.status}`) });
  return {
    status: response.status,
    setCookies: response.headers.getSetCookie(),
    body: typeof body === 'object' && body !== null ? (body as Record<string, unknown>) : {},
  };
}
