import type { IdentityProvider } from './identity-provider.ts';

type Deps = {
  identity: Pick<IdentityProvider, 'onChangedElsewhere'>;
  /** Patterns of the routes that are shown now, outermost first. */
  shownRoutes: () => readonly string[];
  /** Forgets the user and shows the sign-in page. */
  leave: () => void;
  reload: () => void;
};

// Screens that show somebody's data, or that wait for somebody to sign in. Others stay: a form half filled in is theirs.
const following = /^\/(_dashboard|onboarding|login)\b/;

const isFollowing = (shownRoutes: readonly string[]) => shownRoutes.some((route) => following.test(route));

/**
 * The window somebody comes back to, or presses something in, is the one that new windows begin as: a browser takes nothing of
 * a window along into one that a link opens. A screen that follows nobody may be somebody else's by now.
 */
export function keepWindowInUse({ keep, shownRoutes }: { keep: () => void } & Pick<Deps, 'shownRoutes'>): void {
  const comeBack = () => {
    if (isFollowing(shownRoutes())) keep();
  };
  window.addEventListener('focus', comeBack, true);
}

/** Signed out in another tab: this one leaves too. Signed in as somebody else: it starts over as that person. */
export function followOtherTabs({ identity, shownRoutes, leave, reload }: Deps): () => void {
  return identity.onChangedElsewhere((change) => {
    if (!isFollowing(shownRoutes())) return;
    if (change === 'signed_out') leave();
    else reload();
  });
}
