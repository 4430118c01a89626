import type { HomeLayout } from '@airdeck/contracts/me/schema';
import { useMutation, useQuery } from '@tanstack/react-query';
import { useEffect, useRef } from 'react';
import { homeMutations, homeQueries } from '../../queries/home.ts';
import { useApp } from '../../session/app-context.ts';
import type { Widgets } from './use-widgets.ts';
import { isDefault, kept, type Layout, parseHidden, parseWidgets } from './widget-store.ts';

/** Long enough that a pull over three sizes is saved once, short enough that leaving the page seldom comes first. */
const QUIET_MS = 400;

/**
 * What is to be done where this browser and the profile differ. The last to save wins: what was changed here and not
 * saved goes to the profile, whatever came there in between.
 */
export function nextStep(here: Layout, profile: HomeLayout): 'adopt' | 'save' | 'nothing' {
  if (here.changed) return 'save';
  if (profile.version > here.version) return 'adopt';
  // Arranged before there was a profile to keep it, or the profile was set back to an earlier state.
  const arranged = !isDefault(here.widgets) || here.hidden.length > 0;
  if (profile.version < here.version || (profile.version === 0 && arranged)) return 'save';
  return 'nothing';
}

/** Keeps the home page of this browser and that of the profile the same: at once here, by the next look elsewhere. */
export function useLayoutSync({ layout, keep }: Widgets): void {
  const { api, queryClient } = useApp();
  const { data: profile } = useQuery(homeQueries.layout(api));
  const { mutate } = useMutation(homeMutations.saveLayout(api, queryClient));
  const newest = useRef(layout);
  newest.current = layout;
  // biome-ignore lint/correctness/useExhaustiveDependencies: `keep` is made anew with every drawing and does the same
  useEffect(() => {
    if (profile === undefined) return;
    const step = nextStep(layout, profile);
    if (step === 'nothing') return;
    if (step === 'adopt') {
      const { version, known } = profile;
      keep({ widgets: parseWidgets(profile.widgets, known), hidden: parseHidden(known), version, changed: false });
      return;
    }
    const saved = ({ version }: HomeLayout) => {
      // What was changed meanwhile is saved next.
      if (newest.current === layout) keep({ ...layout, version, changed: false });
    };
    const timer = setTimeout(() => mutate(kept(layout), { onSuccess: saved }), QUIET_MS);
    return () => clearTimeout(timer);
  }, [layout, profile, mutate]);
}
