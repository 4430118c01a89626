import { expect, test } from 'vitest';
import { textsOf } from './source-texts.ts';

const of = (source: string) => textsOf('some.tsx', source);
const bare = (source: string) => of(source).bare.map(({ text }) => text);

test.each([
  ['<p>Nothing here</p>', ['Nothing here']],
  ['<p>{count} cases</p>', ['cases']],
  ['<p>{open ? "open" : "closed"}</p>', ['open', 'closed']],
  ['<Field label="Name" />', ['Name']],
  [`<Field label={\`Name of \${it}\`} />`, ['Name of {}']],
  ['<Field error={missing ? "Enter a name." : undefined} />', ['Enter a name.']],
  ['showDone("Saved")', ['Saved']],
  ['const looks = { on: { word: "on" } }', ['on']],
  ['const names = { high: "High" }', ['High']],
  ['const joints = { all: "and", any: "or" }', ['and', 'or']],
  ['const networks = permitted.join(" or ")', [' or ']],
  [`const words = \`\${name} \${value === "" ? "(none)" : value}\``, ['(none)']],
  [`function words(n: number) { return n === 0 ? "Never" : \`\${n} days ago\`; }`, ['Never', '{} days ago']],
])('a text in %s is found', (source, texts) => {
  expect(bare(source)).toEqual(texts);
});

test.each([
  ['<p>{t("Nothing here")}</p>'],
  ['<Field label={t("Name of {it}", { it })} />'],
  ['<p>{plural(count, "{count} case", "{count} cases")}</p>'],
  ['<p className="two classes">·</p>'],
  ['<Link to="/some/where" />'],
  ['if (role === "Analyst") stay()'],
  ['throw new Error("This cannot be.")'],
  ['type Kind = "First one" | "Second one"'],
  ['const query = `(max-width: 30em)`'],
  ['const list = names.join(", ")'],
  ['if (joint === "and") stay()'],
  ['element.closest(\'input, [role="dialog"]\')'],
])('%s is no text past the catalogue', (source) => {
  expect(bare(source)).toEqual([]);
});

test('of a translated text its words are known, and when it is translated', () => {
  const { used } = of('const a = t("Now"); const b = () => plural(n, "one", "many", { x: t("inner") });');
  expect(used).toEqual([
    { text: 'Now', by: 't', atLoad: true },
    { text: 'one', by: 'plural', atLoad: false },
    { text: 'many', by: 'plural', atLoad: false },
    { text: 'inner', by: 't', atLoad: false },
  ]);
});

test('a text that is not written out is told', () => {
  expect(of(`t(message);\nt(\`\${a} b\`)`).notLiteral).toEqual([{ line: 1 }, { line: 2 }]);
});
