import { createElement, Fragment, type ReactNode } from 'react';
import { type Placeholders, pattern } from './translate.ts';

type Elements<Text extends string> = Text extends `${string}</${infer Name}>${infer Rest}`
  ? Name | Elements<Rest>
  : never;

type Parts<Text extends string> = Readonly<
  Record<Placeholders<Text>, ReactNode> & Record<Elements<Text>, (text: string) => ReactNode>
>;

/** A text with elements in it: `tx('Read <link>the guide</link>.', { link: (text) => <a href={guide}>{text}</a> })`. */
export function tx<const Text extends string>(text: Text, parts: Parts<Text>): ReactNode {
  const given: Readonly<Record<string, unknown>> = parts;
  return pieces(pattern(text)).map(({ plain, value, element, inner }, at) => {
    const piece = value === undefined ? plain : given[value];
    const shown = element === undefined ? piece : asElement(given[element], inner ?? '');
    return createElement(Fragment, { key: at }, shown as ReactNode);
  });
}

type Piece = { plain?: string | undefined; value?: string | undefined; element?: string | undefined; inner?: string };

/** Plain text, values and elements in the order they stand. */
function pieces(text: string): Piece[] {
  const found: Piece[] = [];
  let end = 0;
  for (const match of text.matchAll(/\{(\w+)\}|<(\w+)>(.*?)<\/\2>/g)) {
    if (match.index > end) found.push({ plain: text.slice(end, match.index) });
    found.push({ value: match[1], element: match[2], inner: match[3] ?? '' });
    end = match.index + match[0].length;
  }
  if (end < text.length) found.push({ plain: text.slice(end) });
  return found;
}

function asElement(make: unknown, inner: string): unknown {
  return typeof make === 'function' ? make(inner) : inner;
}
