import { useQuery } from '@tanstack/react-query';
import { useEffect } from 'react';
import { keepLocale, languageOf } from '../language/page-language.ts';
import { pageLanguage } from '../language/translate.ts';
import { useApp } from '../session/app-context.ts';
import { currentUserQuery } from '../session/current-user.ts';

/**
 * Loads the page again when the profile is read in another language than it: after signing in, and after changing the
 * profile. An answer from before this page may be outdated and is not followed; where the browser keeps nothing, loading
 * again would change nothing.
 */
export function useProfileLanguage(): void {
  const { api, storage } = useApp();
  const { data, dataUpdatedAt } = useQuery(currentUserQuery(api));
  const locale = dataUpdatedAt >= performance.timeOrigin ? data?.user.locale : undefined;
  useEffect(() => {
    if (locale === undefined || languageOf(locale) === pageLanguage()) return;
    if (keepLocale(storage, locale)) window.location.reload();
  }, [locale, storage]);
}
