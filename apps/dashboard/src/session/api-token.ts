import { IdentityError, type IdentityProvider } from './identity-provider.ts';

/** Tokens for the API client, which takes a `TypeError` for "no connection", as fetch itself throws it. */
export function apiToken(identity: IdentityProvider): IdentityProvider['getToken'] {
  return async (options) => {
    try {
      return await identity.getToken(options);
    } catch (error) {
      if (error instanceof IdentityError && error.code === 'UNREACHABLE')
        throw new TypeError(error.message, { cause: error });
      throw error;
    }
  };
}
