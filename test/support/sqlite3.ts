import { type ChildProcess, execFileSync, spawn, spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import fs from 'node:fs'
import path from 'node:path'

/** Whether SQLite's own program is here: the independent side of tests over databases. */
export const hasSqlite3 = spawnSync('sqlite3', ['--version']).status === 0

/** Runs statements on a database as another program would. @param keepsLog its log is left as while the program runs */
export function writeDatabase(file: string, sql: string, keepsLog = false): void {
  const keep = keepsLog ? '.dbconfig no_ckpt_on_close on\n' : ''
  execFileSync('sqlite3', ['-batch', '-bail', file], { input: `${keep}${sql}\n` })
}

/** Starts statements on a database in a process of its own, from a file beside the folder; the caller awaits its end. */
export function startWriter(file: string, sql: string, script: string): ChildProcess {
  fs.writeFileSync(script, `.timeout 60000\n${sql}\n`)
  // Not by its standard input, which is filled only while this process does nothing else.
  return spawn('sqlite3', ['-batch', '-bail', file, `.read ${script}`], { stdio: 'ignore' })
}

/** The answer of SQLite's own program on a copy of the files: rows as JSON texts, or that it fails. */
export function askCopy(file: string, query: string, into: string): readonly string[] | 'fails' {
  const copy = path.join(into, 'copy.db')
  for (const suffix of ['', '-wal', '-shm', '-journal']) fs.rmSync(copy + suffix, { force: true })
  for (const suffix of ['', '-wal'])
    if (fs.existsSync(file + suffix)) fs.copyFileSync(file + suffix, copy + suffix)
  const { status, stdout } = spawnSync('sqlite3', ['-batch', '-bail', copy, query], {
    encoding: 'utf8',
    maxBuffer: 256 * 1024 * 1024,
  })
  return status === 0 ? stdout.split('\n').slice(0, -1) : 'fails'
}

/** Names, bytes and times of all files in a folder, as one text. */
export function folderState(folder: string): string {
  const names = fs.readdirSync(folder).sort()
  return names
    .map((name) => {
      const { mtimeMs, size } = fs.statSync(path.join(folder, name))
      const bytes = fs.readFileSync(path.join(folder, name))
      return `${name} ${size} ${mtimeMs} ${createHash('sha256').update(bytes).digest('hex')}`
    })
    .join('\n')
}
