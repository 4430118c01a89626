const touches = ['pointerdown', 'pointermove', 'keydown', 'wheel', 'touchstart'] as const;

/** Tells how many milliseconds ago somebody last touched the page, or when it was opened. */
export function watchIdle(page: EventTarget, now: () => number): () => number {
  let touchedAt = now();
  const touched = () => {
    touchedAt = now();
  };
  for (const kind of touches) page.addEventListener(kind, touched, { capture: true, passive: true });
  return () => now() - touchedAt;
}
