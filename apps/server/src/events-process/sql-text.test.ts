import { describe, expect, it } from 'vitest';
import { codeOf, hasSecondStatement, isReading, parsePlainInsert, quoteLiteral } from './sql-text.ts';

describe('hasSecondStatement', () => {
  it.each([
    ['select 1', false],
    ['select 1;', false],
    ['select 1; -- done', false],
    ['select 1; /* done */ ;', false],
    ["select ';select 2'", false],
    ["select 'it''s; x', \"a;b\", `c;d`", false],
    ["select '\\'; drop table t --'", false],
    ['select 1 -- ; drop table t', false],
    ['select 1 /* ; */', false],
    ['select 1; drop table t', true],
    ["select 'a'; set readonly = 0", true],
    ['select 1 -- x\n; drop table t', true],
    ["select 'a\\\\'; drop table t", true],
  ])('%s → %s', (sql, expected) => {
    expect(hasSecondStatement(sql)).toBe(expected);
  });
});

describe('parsePlainInsert', () => {
  it('takes a table, columns and a line format', () => {
    expect(parsePlainInsert('INSERT INTO airdeck.events (id, time) FORMAT JSONEachRow')).toEqual({
      table: 'airdeck.events',
      columns: ['id', 'time'],
      format: 'JSONEachRow',
    });
    expect(parsePlainInsert('insert into events format jsoneachrow\n')).toEqual({
      table: 'events',
      format: 'JSONEachRow',
    });
  });

  it.each(['INSERT INTO t SELECT 1', 'INSERT INTO FUNCTION file() FORMAT CSV', "INSERT INTO t VALUES ('a')"])(
    'leaves %s to the engine',
    (sql) => {
      expect(parsePlainInsert(sql)).toBeUndefined();
    },
  );
});

it('knows reading statements from writing ones', () => {
  expect(['  select 1', 'WITH x AS (select 1) select 1', 'show tables'].map(isReading)).toEqual([true, true, true]);
  expect(['insert into t', 'alter table t', 'selection'].map(isReading)).toEqual([false, false, false]);
});

it('quotes a literal so that it cannot end early', () => {
  expect(quoteLiteral("a'b\\c")).toBe("'a\\'b\\\\c'");
});

it('leaves the code of a statement, without comments and literals', () => {
  expect(codeOf('select `a`, "b" /* c */ from t -- d\nwhere x = \'e; f\'')).toBe("select a, b   from t  where x = ''");
});
