import { ScreenTold } from './screen-told.tsx';
import { SessionEndBanner } from './session-end-banner.tsx';

/** Of the frame what its first screen does not need: it loads beside it. */
export function LaterParts() {
  return (
    <>
      <ScreenTold />
      <SessionEndBanner />
    </>
  );
}
