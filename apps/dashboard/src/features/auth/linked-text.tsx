import outbox from './outbox.module.css';

/** Text of a mail with its links to this dashboard. Addresses of other hosts stay text: nobody is led away from here. */
export function LinkedText({ text }: { text: string }) {
  return (
    <p className={outbox.text}>
      {piecesOf(text, window.location.origin).map(({ at, piece, path }) =>
        path === undefined ? (
          piece
        ) : (
          <a key={at} href={path}>
            {piece}
          </a>
        ),
      )}
    </p>
  );
}

type Piece = { at: number; piece: string; path?: string };

/** The text in pieces; those with a path are addresses of the given origin. */
export function piecesOf(text: string, origin: string): Piece[] {
  const pieces: Piece[] = [];
  let end = 0;
  for (const { 0: found, index } of text.matchAll(/https?:\/\/[^\s<>"]+[^\s<>".,;:!?)]/g)) {
    const path = pathOn(found, origin);
    if (path === undefined) continue;
    pieces.push({ at: end, piece: text.slice(end, index) }, { at: index, piece: found, path });
    end = index + found.length;
  }
  return [...pieces, { at: end, piece: text.slice(end) }];
}

function pathOn(address: string, origin: string): string | undefined {
  if (!URL.canParse(address)) return undefined;
  const url = new URL(address);
  return url.origin === origin && url.username === '' ? `${url.pathname}${url.search}${url.hash}` : undefined;
}
