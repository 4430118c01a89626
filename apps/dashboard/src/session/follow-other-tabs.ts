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

/** Signed out in another tab: this one leaves too. Signed in as somebody else: it starts over as that person. */
export function followOtherTabs({ identity, shownRoutes, leave, reload }: Deps): () => void {
  return identity.onChangedElsewhere((change) => {
    if (!shownRoutes().some((route) => following.test(route))) return;
    if (change === 'signed_out') leave();
    else reload();
  });
}
