import { spawnSync } from 'node:child_process'
import fs from 'node:fs'
import path from 'node:path'

/** Kinds of SQLite's FTS5 that a search is compared with: by words, and by every three characters. */
export const fullTextKinds = ['unicode61', 'trigram'] as const
type FullTextKind = (typeof fullTextKinds)[number]

/** Tells whether the program `sqlite3` with FTS5 is there to compare with. */
export function hasFullText(): boolean {
  return (
    sqlite(':memory:', "CREATE VIRTUAL TABLE t USING fts5(x, tokenize = 'trigram');") !== undefined
  )
}

/** A table of all texts of a corpus, without the texts themselves. */
export interface FullText {
  readonly kind: FullTextKind
  readonly bytes: number
  /** Milliseconds of each query for its first 100 hits, the newest, as SQLite itself measures them; undefined where it cannot ask. */
  ask(queries: readonly string[]): readonly (number | undefined)[]
}

/**
 * Writes the texts of a folder's files of lines to a table of FTS5.
 *
 * @throws Error where SQLite does not take them
 */
export function writeFullText(
  kind: FullTextKind,
  files: readonly string[],
  folder: string,
): FullText {
  const file = path.join(folder, `${kind}.db`)
  const built = sqlite(
    file,
    [
      'PRAGMA journal_mode = OFF; PRAGMA synchronous = OFF;',
      `CREATE VIRTUAL TABLE t USING fts5(x, content = '', tokenize = '${kind}');`,
      'CREATE TEMP TABLE lines(line);',
      '.mode ascii',
      '.separator "\\037" "\\n"',
      ...files.flatMap((one) => [
        `.import "${one}" lines`,
        "INSERT INTO t(x) SELECT json_extract(line, '$.content') FROM lines; DELETE FROM lines;",
      ]),
    ].join('\n'),
  )
  if (built === undefined) throw new Error(`SQLite cannot index the texts by ${kind}.`)
  return {
    kind,
    bytes: fs.statSync(file).size,
    ask(queries) {
      const asked = queries.map((query) => query.length >= (kind === 'trigram' ? 3 : 1))
      const out = sqlite(
        file,
        [
          '.timer on',
          ...queries.flatMap((query, n) =>
            asked[n]
              ? [
                  `SELECT count(*) FROM (SELECT rowid FROM t('"${query}"') ORDER BY rowid DESC LIMIT 100);`,
                ]
              : [],
          ),
        ].join('\n'),
      )
      const times = [...(out ?? '').matchAll(/real ([\d.]+)/g)].map(
        ([, real]) => Number(real) * 1000,
      )
      let next = 0
      return asked.map((isAsked) => (isAsked ? times[next++] : undefined))
    },
  }
}

/** Runs commands; undefined where the program is not there, or says that something failed. */
function sqlite(file: string, commands: string): string | undefined {
  const { status, stdout, stderr } = spawnSync('sqlite3', ['-bail', file], {
    input: commands,
    encoding: 'utf8',
    maxBuffer: 64 * 1024 * 1024,
  })
  return status === 0 && stderr === '' ? stdout : undefined
}
