import encodeQR from 'qr';
import { useMemo } from 'react';

type Props = { text: string; label: string; size?: number };

// The quiet zone a reader needs around the code, in modules.
const BORDER = 4;

/** A QR code, drawn here: what it holds is a secret and goes to no image service. Dark on white in both themes. */
export function QrCode({ text, label, size = 200 }: Props) {
  const rows = useMemo(() => encodeQR(text, 'raw', { ecc: 'medium', border: BORDER }), [text]);
  const path = rows.flatMap((row, y) => row.flatMap((dark, x) => (dark ? [`M${x} ${y}h1v1h-1z`] : []))).join('');
  return (
    <svg
      width={size}
      height={size}
      viewBox={`0 0 ${rows.length} ${rows.length}`}
      role="img"
      aria-label={label}
      shapeRendering="crispEdges"
    >
      <rect width="100%" height="100%" fill="#fff" rx="1" />
      <path d={path} fill="#000" />
    </svg>
  );
}
