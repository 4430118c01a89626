/**
 * The little XML that vendors still speak: elements, attributes, text and CDATA, read strictly.
 *
 * A document type is refused, so there is nothing to expand and nothing to fetch; only the five entities of XML itself and
 * character references are known. Size, depth and number of elements are bounded and every character is looked at once.
 */
import { VendorError } from '@airdeck/connector-kit/vendor-error';

export type XmlElement = {
  /** As written, with its prefix. */
  readonly name: string;
  readonly attributes: ReadonlyMap<string, string>;
  readonly children: readonly XmlElement[];
  /** Its own text, without that of its children. */
  readonly text: string;
};

type OpenElement = XmlElement & { children: XmlElement[]; text: string };

/** Answers are read at once, and the event loop waits meanwhile. */
const MAX_CHARS = 2_000_000;
const MAX_DEPTH = 50;
const MAX_ELEMENTS = 50_000;
const MAX_ATTRIBUTES = 30;

const DECLARATION = /^\uFEFF?(?:<\?xml\s[^<>]{0,200}\?>)?/;
const OPENING = /<([A-Za-z_][\w.:-]{0,127})/y;
const ATTRIBUTE = /\s+([A-Za-z_][\w.:-]{0,127})\s{0,20}=\s{0,20}(?:"([^"<]*)"|'([^'<]*)')/y;
const OPENING_END = /\s{0,20}(\/?)>/y;
const CLOSING = /<\/([A-Za-z_][\w.:-]{0,127})\s{0,20}>/y;

const entities: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" };

/** The root element; undefined for everything that is not well-formed, too large, or has a document type. */
export function readXml(text: string): XmlElement | undefined {
  if (text.length > MAX_CHARS) return undefined;
  try {
    return createReader(text.trimEnd()).read();
  } catch (error) {
    if (error instanceof XmlSyntaxError) return undefined;
    throw error;
  }
}

/** The first element at a path of names below `element`. */
export function xmlChild(element: XmlElement | undefined, ...path: readonly string[]): XmlElement | undefined {
  return path.reduce<XmlElement | undefined>((at, name) => at?.children.find((one) => one.name === name), element);
}

export function xmlChildren(element: XmlElement | undefined, name: string): readonly XmlElement[] {
  return element?.children.filter((one) => one.name === name) ?? [];
}

/** The trimmed text at a path; null when the element is missing or has none. */
export function xmlText(element: XmlElement | undefined, ...path: readonly string[]): string | null {
  const text = xmlChild(element, ...path)?.text.trim() ?? '';
  return text === '' ? null : text;
}

/** All text below an element, a line for each element that has some. */
export function xmlWords(element: XmlElement | undefined): string {
  if (element === undefined) return '';
  return [element.text.trim(), ...element.children.map(xmlWords)].filter((one) => one !== '').join(' ');
}

/** A value as XML text or attribute. Throws `VENDOR_REJECTED` for characters that XML cannot carry. */
export function escapeXml(text: string): string {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: these are exactly what is refused
  if (/[\0-\x08\x0b\x0c\x0e-\x1f\ufffe\uffff]|\p{Surrogate}/u.test(text)) {
    throw new VendorError('VENDOR_REJECTED', 'A value of this request has characters that cannot be sent.');
  }
  return text.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`);
}

class XmlSyntaxError extends Error {}

function createReader(text: string) {
  const stack: OpenElement[] = [];
  let root: XmlElement | undefined;
  let elements = 0;
  let at = DECLARATION.exec(text)?.[0].length ?? 0;

  function take(pattern: RegExp): RegExpExecArray | undefined {
    pattern.lastIndex = at;
    const found = pattern.exec(text) ?? undefined;
    if (found !== undefined) at += found[0].length;
    return found;
  }

  /** What stands between `open`, where the reader is, and `close`. */
  function enclosed(open: string, close: string): string {
    const end = text.indexOf(close, at + open.length);
    if (end < 0) throw new XmlSyntaxError();
    const inside = text.slice(at + open.length, end);
    at = end + close.length;
    return inside;
  }

  function addCharacters(words: string): void {
    const current = stack.at(-1);
    if (current !== undefined) current.text += words;
    else if (words.trim() !== '') throw new XmlSyntaxError();
  }

  function readText(): void {
    const end = text.indexOf('<', at);
    const words = text.slice(at, end < 0 ? text.length : end);
    at += words.length;
    addCharacters(decoded(words));
  }

  function readAttributes(): Map<string, string> {
    const attributes = new Map<string, string>();
    for (let found = take(ATTRIBUTE); found !== undefined; found = take(ATTRIBUTE)) {
      const [, name = '', quoted, plain] = found;
      if (attributes.has(name) || attributes.size >= MAX_ATTRIBUTES) throw new XmlSyntaxError();
      attributes.set(name, decoded(quoted ?? plain ?? ''));
    }
    return attributes;
  }

  function open(name: string): void {
    const element: OpenElement = { name, attributes: readAttributes(), children: [], text: '' };
    const end = take(OPENING_END);
    elements += 1;
    const isSecondRoot = stack.length === 0 && root !== undefined;
    if (end === undefined || isSecondRoot || elements > MAX_ELEMENTS || stack.length >= MAX_DEPTH) {
      throw new XmlSyntaxError();
    }
    stack.at(-1)?.children.push(element);
    root ??= element;
    if (end[1] === '') stack.push(element);
  }

  function readTag(): void {
    const opening = take(OPENING)?.[1];
    if (opening !== undefined) {
      open(opening);
      return;
    }
    const closing = take(CLOSING)?.[1];
    // Also what begins with `<!` or `<?`: a document type, an instruction.
    if (closing === undefined || stack.pop()?.name !== closing) throw new XmlSyntaxError();
  }

  function readMarkup(): void {
    if (text.startsWith('<!--', at)) enclosed('<!--', '-->');
    else if (text.startsWith('<![CDATA[', at)) addCharacters(enclosed('<![CDATA[', ']]>'));
    else readTag();
  }

  return {
    read(): XmlElement {
      while (at < text.length) {
        if (text[at] === '<') readMarkup();
        else readText();
      }
      if (root === undefined || stack.length > 0) throw new XmlSyntaxError();
      return root;
    },
  };
}

function decoded(text: string): string {
  if (!text.includes('&')) return text;
  return text.replace(/&(?:(#x[\da-f]{1,6}|#\d{1,7}|[a-z]{2,4});)?/gi, (_all, name: string | undefined) => {
    const character = name === undefined ? undefined : characterOf(name);
    if (character === undefined) throw new XmlSyntaxError();
    return character;
  });
}

function characterOf(reference: string): string | undefined {
  if (!reference.startsWith('#')) return Object.hasOwn(entities, reference) ? entities[reference] : undefined;
  const code = /^#x/i.test(reference) ? Number.parseInt(reference.slice(2), 16) : Number(reference.slice(1));
  const isCharacter = code > 0 && code <= 0x10ffff && (code < 0xd800 || code > 0xdfff);
  return isCharacter ? String.fromCodePoint(code) : undefined;
}
