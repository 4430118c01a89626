import { ApiError } from '@airdeck/api-client/api-error';
import type { ApiClient } from '@airdeck/api-client/client';
import { clientFailures } from '@airdeck/api-client/client-failures';

/**
 * The API client before its code is there. Loading begins at once; calls wait for it, and one that came too early to a
 * server out of reach fails as any call would, so that the next one loads again.
 */
export function createLaterApiClient(load: () => Promise<ApiClient>): ApiClient {
  let loading: Promise<ApiClient> | undefined;
  const client = (): Promise<ApiClient> => {
    loading ??= load().catch((cause: unknown) => {
      loading = undefined;
      throw new ApiError({
        endpoint: '',
        method: 'GET',
        category: 'network',
        code: 'UNREACHABLE',
        message: clientFailures.UNREACHABLE,
        cause,
      });
    });
    return loading;
  };
  client().catch(() => undefined);
  return {
    call: async (routeId, options) => (await client()).call(routeId, options),
    download: async (routeId, options) => (await client()).download(routeId, options),
    subscribe(routeId, options, handlers) {
      let close: (() => void) | undefined;
      let closed = false;
      client().then(
        (loaded) => {
          if (!closed) close = loaded.subscribe(routeId, options, handlers);
        },
        () => handlers.onState?.('refused'),
      );
      return () => {
        closed = true;
        close?.();
      };
    },
  };
}
