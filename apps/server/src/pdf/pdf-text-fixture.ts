/** Reads the text of a file back that was laid out without compression: what each page writes, line by line. */
export function textOfPdf(bytes: Uint8Array): string[] {
  const file = Buffer.from(bytes).toString('latin1');
  const objects = new Map(
    [...file.matchAll(/(?:^|\n)(\d+) 0 obj\n([\s\S]*?)\nendobj/g)].map(([, id = '', body = '']) => [id, body]),
  );
  const fonts = new Map<string, Map<string, string>>();
  for (const body of objects.values()) {
    for (const [, name = '', id = ''] of body.matchAll(/\/(F\d+) (\d+) 0 R/g)) {
      const unicode = /\/ToUnicode (\d+) 0 R/.exec(objects.get(id) ?? '')?.[1];
      if (unicode !== undefined) fonts.set(name, charactersOf(objects.get(unicode) ?? ''));
    }
  }
  const pages = [...objects.values()].filter((body) => /\/Type \/Page\b/.test(body));
  return pages.map((page) => {
    const content = /\/Contents (\d+) 0 R/.exec(page)?.[1] ?? '';
    return linesOf(objects.get(content) ?? '', fonts).join('\n');
  });
}

function linesOf(content: string, fonts: ReadonlyMap<string, ReadonlyMap<string, string>>): string[] {
  const lines: { y: string; text: string }[] = [];
  for (const [, block = ''] of content.matchAll(/BT\b([\s\S]*?)ET/g)) {
    const font = /\/(\w+) [\d.]+ Tf/.exec(block)?.[1] ?? '';
    // Baselines of runs in one line may differ by less than a hundredth.
    const y = Number(/1 0 0 1 [\d.-]+ ([\d.-]+) Tm/.exec(block)?.[1]).toFixed(1);
    const hex = [...block.matchAll(/<([0-9a-f]*)>/gi)].map(([, digits = '']) => digits).join('');
    const codes = hex.match(/.{4}/g) ?? [];
    const characters = fonts.get(font);
    // What is left to the reader's own fonts is written as UTF-16.
    const text = characters
      ? codes.map((code) => characters.get(code.toLowerCase()) ?? '').join('')
      : Buffer.from(hex, 'hex').swap16().toString('utf16le');
    const last = lines.at(-1);
    if (last !== undefined && last.y === y) last.text += text;
    else lines.push({ y, text });
  }
  return lines.map(({ text }) => text);
}

/** Of a `ToUnicode` map: which characters a code stands for. */
function charactersOf(map: string): Map<string, string> {
  const found = new Map<string, string>();
  for (const [, from = '', list = ''] of map.matchAll(/<([0-9a-f]{4})> <[0-9a-f]{4}> \[([^\]]*)\]/gi)) {
    [...list.matchAll(/<([0-9a-f]*)>/gi)].forEach(([, digits = ''], index) => {
      const code = (Number.parseInt(from, 16) + index).toString(16).padStart(4, '0');
      found.set(code, Buffer.from(digits, 'hex').swap16().toString('utf16le'));
    });
  }
  return found;
}
