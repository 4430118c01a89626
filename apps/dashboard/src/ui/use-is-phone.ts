import { useMediaQuery } from '@mantine/hooks';

/** Whether the page is narrower than 768 px (spec §9), from its first render on. */
export function useIsPhone(): boolean {
  return useMediaQuery('(max-width: 767.98px)', undefined, { getInitialValueInEffect: false }) === true;
}
