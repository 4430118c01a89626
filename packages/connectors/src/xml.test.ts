import { describe, expect, it } from 'vitest';
import { escapeXml, readXml, xmlChild, xmlChildren, xmlText, xmlWords } from './xml.ts';

describe('reading XML', () => {
  it('reads elements, attributes, text, CDATA and comments', () => {
    const root = readXml(
      '\uFEFF<?xml version="1.0" encoding="UTF-8"?>\n<!-- x --><a one="1" two=\'"2"\'> <b>x &amp; &#x79;&#122;</b><b/><ns:c><![CDATA[<raw>&]]></ns:c></a>\n',
    );
    expect(root?.attributes).toEqual(
      new Map([
        ['one', '1'],
        ['two', '"2"'],
      ]),
    );
    expect(xmlText(root, 'b')).toBe('x & yz');
    expect(xmlChildren(root, 'b')).toHaveLength(2);
    expect(xmlText(root, 'ns:c')).toBe('<raw>&');
    expect(xmlText(root, 'b', 'nothing')).toBeNull();
    expect(xmlChild(root, 'absent')).toBeUndefined();
    expect(xmlWords(root)).toBe('x & yz <raw>&');
  });

  it('expands no entity of a document, which could grow without end or name a file', () => {
    const laughs = '<!DOCTYPE a [<!ENTITY b "ha"><!ENTITY c "&b;&b;">]><a>&c;</a>';
    const file = '<!DOCTYPE a [<!ENTITY f SYSTEM "file:///etc/passwd">]><a>&f;</a>';
    for (const text of [laughs, file, '<a>&b;</a>', '<a x="&b;"/>']) expect(readXml(text)).toBeUndefined();
  });

  it.each([
    '',
    'plain words',
    '{"json":true}',
    '<a>',
    '<a></b>',
    '</a>',
    '<a/><b/>',
    '<a/>text',
    '<a b="1" b="2"/>',
    '<a b=1/>',
    '<a b="<"/>',
    '<a>&</a>',
    '<a>&#0;</a>',
    '<a>&#xD800;</a>',
    '<a>&#x110000;</a>',
    '<a>&constructor;</a>',
    '<a><![CDATA[x</a>',
    '<a><!-- x</a>',
    '<a><?php echo 1 ?></a>',
    '<!DOCTYPE html><html><body>Sign in</body></html>',
    '<1a/>',
    '< a/>',
  ])('refuses %j', (text) => {
    expect(readXml(text)).toBeUndefined();
  });

  it('bounds size, depth and number of elements', () => {
    const nested = (depth: number) => `${'<a>'.repeat(depth)}${'</a>'.repeat(depth)}`;
    expect(readXml(nested(50))).toBeDefined();
    expect(readXml(nested(51))).toBeUndefined();
    expect(readXml(`<a>${'<b/>'.repeat(49_999)}</a>`)).toBeDefined();
    expect(readXml(`<a>${'<b/>'.repeat(50_000)}</a>`)).toBeUndefined();
    expect(readXml(`<a>${' '.repeat(2_000_000)}</a>`)).toBeUndefined();
  });

  it('keeps names of prototypes ordinary', () => {
    const root = readXml('<a __proto__="x"><constructor>y</constructor></a>');
    expect(root?.attributes.get('__proto__')).toBe('x');
    expect(xmlText(root, 'constructor')).toBe('y');
  });
});

describe('writing XML', () => {
  it('turns every value into text that stays one value', () => {
    const hostile = `</member><member timeout="0">x&y'`;
    expect(xmlText(readXml(`<a><member b="${escapeXml(hostile)}">${escapeXml(hostile)}</member></a>`), 'member')).toBe(
      hostile,
    );
    for (const text of ['a\u0000b', 'a\u001bb', '\ud800', '\uffff'])
      expect(() => escapeXml(text)).toThrow(/cannot be sent/);
  });
});
