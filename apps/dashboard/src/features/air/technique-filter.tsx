import { techniqueName } from '@airdeck/domain/attack-tactics';
import { DroppedFilter } from './dropped-filter.tsx';

/** A technique of MITRE ATT&CK whose cases are shown, with its name where that is known. */
export function TechniqueFilter({ id, onDrop }: { id: string; onDrop: () => void }) {
  return <DroppedFilter label={`${id} ${techniqueName(id)}`.trim()} onDrop={onDrop} />;
}
