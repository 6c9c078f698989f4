import { execFileSync } from 'node:child_process'
import fs from 'node:fs'
import path from 'node:path'
import type { LibraryRoot } from '../../../src/main/library/sources/roots'
import { readers } from '../../../src/main/readers/index'
import { openFixture, type Written } from './copied-fixture'
import { createDrawnTexts } from './drawn-texts'
import { type DatabaseShape, writeGrownDatabase } from './grown-database'

/** A library over all sources that have a fixture. */
export interface AllSources {
  readonly home: string
  readonly roots: readonly LibraryRoot[]
  readonly files: number
  readonly bytes: number
}

/** A database in a fixture: the statements that made it, and where it lies. */
interface DatabasePlace extends DatabaseShape {
  readonly sql: string
  readonly file: string
  /** Its part of all bytes. */
  readonly part: number
}

const fixtures = path.resolve('test/fixtures/readers')
const uuid = /[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/

const opencodeShape: DatabaseShape = {
  conversations: ['session', 'session_v2'],
  shared: ['project'],
  blocks: 24,
  texts: 2,
}

const databases: Readonly<Record<string, DatabasePlace>> = {
  opencode: { ...opencodeShape, sql: 'rows.sql', file: 'opencode.db', part: 0.1 },
  cursor: {
    conversations: ['composerHeaders'],
    shared: ['ItemTable'],
    blocks: 1,
    texts: 60,
    id: uuid,
    sql: 'state.sql',
    file: 'User/globalStorage/state.vscdb',
    part: 0.1,
  },
  crush: {
    conversations: ['sessions'],
    blocks: 16,
    texts: 2,
    sql: 'rows.sql',
    file: 'orchard/.crush/crush.db',
    part: 0.02,
  },
  goose: {
    conversations: ['sessions'],
    shared: ['schema_version'],
    blocks: 24,
    texts: 2,
    sql: 'rows.sql',
    file: 'sessions/sessions.db',
    part: 0.02,
  },
  llm: {
    conversations: ['conversations', 'threads'],
    blocks: 1,
    texts: 24,
    sql: 'rows.sql',
    file: 'logs.db',
    part: 0.02,
  },
  'open-webui': {
    conversations: ['chat'],
    shared: ['folder', 'auth'],
    blocks: 4,
    texts: 8,
    sql: 'rows.sql',
    file: 'webui.db',
    part: 0.03,
  },
  zed: {
    conversations: ['threads'],
    blocks: 1,
    texts: 120,
    sql: 'rows.sql',
    file: 'threads/threads.db',
    part: 0.03,
  },
}

/** Exports: one document with all conversations, of so much of all bytes. */
const exports: Readonly<Record<string, number>> = {
  chatgpt: 0.1,
  'claude-ai': 0.02,
  deepseek: 0.02,
}

/** Texts of each message in an export: its conversations are as long as people's. */
const exportTexts = 4

/**
 * Writes copies of every reader's fixture until there are so many files and bytes: most small, some large, with texts that
 * other people wrote. Databases hold many conversations each, exports too. The same for the same numbers.
 */
export async function writeAllSources(
  folder: string,
  files: number,
  bytes: number,
): Promise<AllSources> {
  const texts = createDrawnTexts(17)
  const { draw } = texts
  let written: Written = { files: 0, bytes: 0 }
  const add = (more: Written) => {
    written = { files: written.files + more.files, bytes: written.bytes + more.bytes }
  }
  const ids = readers.map(({ id }) => id).filter((id) => fs.existsSync(path.join(fixtures, id)))
  const rootOf = (id: string) => path.join(folder, id)
  for (const [id, place] of Object.entries(databases)) {
    copyDatabases(id, rootOf(id), place.file)
    const sql = fs.readFileSync(path.join(fixtures, id, place.sql), 'utf8')
    const file = path.join(rootOf(id), place.file)
    add({ files: 1, bytes: await writeGrownDatabase(sql, file, place, place.part * bytes, draw) })
  }
  const drawLong = () => Array.from({ length: exportTexts }, draw).join('\n')
  for (const [id, part] of Object.entries(exports))
    add(await openFixture(fixtures, id).copyTo(rootOf(id), 0, part * bytes, drawLong))
  const copied = ids
    .filter((id) => exports[id] === undefined)
    .map((id) => openFixture(fixtures, id))
    .filter((fixture) => fixture.files.length > 0)
  const sharedFiles = (files - written.files) / copied.length
  const sharedBytes = (bytes - written.bytes) / copied.length
  for (const fixture of copied) {
    const copies = Math.max(1, Math.round(sharedFiles / fixture.files.length))
    const sizes = Array.from({ length: copies }, () => 1 / (0.02 + texts.next()))
    const scale = sharedBytes / sizes.reduce((sum, size) => sum + size, 0)
    for (const [copy, size] of sizes.entries())
      add(await fixture.copyTo(rootOf(fixture.source), copy, size * scale, draw))
  }
  const roots = ids
    .filter((id) => id !== 'chibi')
    .map((source) => ({ source, path: rootOf(source) }))
  return { home: rootOf('chibi'), roots, ...written }
}

/**
 * Writes OpenCode's database of so many bytes, and into one message of it a word that no other text has.
 */
export async function writeOpencode(
  root: string,
  bytes: number,
  word: string,
): Promise<{ readonly file: string; readonly bytes: number }> {
  const sql = fs.readFileSync(path.join(fixtures, 'opencode', 'rows.sql'), 'utf8')
  const file = path.join(root, 'opencode.db')
  const { draw } = createDrawnTexts(18)
  await writeGrownDatabase(sql, file, opencodeShape, bytes, draw)
  const part = JSON.stringify({ type: 'text', text: `under the ${word}` })
  const added = `insert into part select 'prt_word', id, session_id, time_created, time_updated, '${part}'
    from message where id like 'msg_1-%' order by id desc limit 1`
  execFileSync('sqlite3', ['-batch', '-bail', file, added])
  return { file, bytes: fs.statSync(file).size }
}

/** Writes the largest document of an export so large, and returns its path. */
export async function writeExport(folder: string, id: string, bytes: number): Promise<string> {
  const fixture = openFixture(fixtures, id)
  await fixture.copyTo(folder, 0, bytes, createDrawnTexts(19).draw)
  const sized = fixture.files.map((file) => path.join(folder, file))
  const [largest = ''] = sized.sort((a, b) => fs.statSync(b).size - fs.statSync(a).size)
  return largest
}

/** The databases of a fixture that do not grow, as they are. */
function copyDatabases(id: string, root: string, grown: string): void {
  const input = path.join(fixtures, id, 'input')
  for (const file of fs.readdirSync(input, { recursive: true, encoding: 'utf8' })) {
    if (!/\.(?:db|vscdb)(?:-wal)?$/.test(file) || file.startsWith(grown)) continue
    const to = path.join(root, file)
    fs.mkdirSync(path.dirname(to), { recursive: true })
    fs.copyFileSync(path.join(input, file), to)
  }
}

/** Tells whether SQLite's own program is there, which writes the databases. */
export function hasSqlite3(): boolean {
  try {
    execFileSync('sqlite3', ['--version'], { stdio: 'ignore' })
    return true
  } catch {
    return false
  }
}
