import type { DragEvent } from 'react';

/** Onto a step: after it. Onto a line: in between. Anywhere else: after what stands to its left. */
export function dropPlace(event: DragEvent, nearest: () => string | undefined): { after: string[]; before?: string[] } {
  const under = event.target instanceof Element ? event.target : null;
  const step = under?.closest<HTMLElement>('[data-step-id]')?.dataset.stepId;
  if (step !== undefined) return { after: [step] };
  const line = under?.closest<SVGElement>('.react-flow__edge')?.dataset.id;
  const [from, to] = line?.split('>') ?? [];
  if (from !== undefined && to !== undefined) return { after: [from], before: [to] };
  const before = nearest();
  return { after: before === undefined ? [] : [before] };
}
