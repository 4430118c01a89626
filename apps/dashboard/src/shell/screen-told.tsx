import { VisuallyHidden } from '@mantine/core';
import { useRouter } from '@tanstack/react-router';
import { useEffect, useState } from 'react';

/** Until then a screen has its title, menus and dialogs that were left have gone, and those that open have the focus. */
const SETTLED_MS = 250;

/**
 * Says which screen one has come to, and takes up the focus where it went with the screen of before: the next Tab leads into
 * the new one. Whoever has the focus by then, as the rail, a field or a dialog, keeps it.
 */
export function ScreenTold() {
  const router = useRouter();
  const [said, say] = useState('');
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout>;
    const stop = router.subscribe('onResolved', ({ fromLocation, pathChanged }) => {
      if (fromLocation === undefined || !pathChanged) return;
      clearTimeout(timer);
      // The same words twice are said only once.
      say('');
      timer = setTimeout(() => {
        say(document.title.split(' | ')[0] ?? '');
        const isFree = document.activeElement === document.body && !document.querySelector('[aria-modal="true"]');
        if (isFree) document.getElementById('content')?.focus({ preventScroll: true });
      }, SETTLED_MS);
    });
    return () => {
      stop();
      clearTimeout(timer);
    };
  }, [router]);
  return <VisuallyHidden role="status">{said}</VisuallyHidden>;
}
