import { isCancelledError, type QueryKey, type UseQueryOptions, useQuery } from '@tanstack/react-query';
import { downloadAddress } from '../../lib/file-download.ts';
import { showError } from '../../lib/toasts.ts';
import { useApp } from '../../session/app-context.ts';

export type Link = { readonly download_link: string };

/** Asks for the link to a file. */
export type LinkQuery<L extends Link, K extends QueryKey> = UseQueryOptions<L, Error, L, K>;

/** Follows the link to a file: the one from before while it is fresh, otherwise a new one. */
export function useLink<L extends Link, K extends QueryKey>(link: LinkQuery<L, K>) {
  const { config, queryClient } = useApp();
  // Asked for when it is wanted; kept as long as what follows it is on the screen.
  const { isFetching } = useQuery({ ...link, enabled: false });
  const follow = async () => {
    try {
      const { download_link } = await queryClient.fetchQuery(link);
      // The server sends it as an attachment, so this page stays.
      window.location.assign(downloadAddress(download_link, config.api_base_url, window.location.href));
    } catch (error) {
      if (!isCancelledError(error)) showError(error);
    }
  };
  return { follow: () => void follow(), isFetching };
}
