import fs from 'node:fs'
import path from 'node:path'
import { describe, expect, it } from 'vitest'
import { appDisk } from '../../../../src/main/disk/app-disk'
import { codexReader } from '../../../../src/main/readers/codex/codex'
import { historyDisk } from '../../../../src/main/readers/history-disk'
import { readRoot } from '../../../../src/main/readers/read-root'
import { hasSqlite3, writeDatabase } from '../../../support/sqlite3'
import { memoryFolder, tempFolders } from '../../../support/temp-folder'

const temp = tempFolders(memoryFolder)
const thread = '01995a3c-0000-7000-8000-00000000000a'

function home(): string {
  const folder = temp()
  const day = path.join(folder, 'sessions/2026/09/10')
  fs.mkdirSync(day, { recursive: true })
  const lines = [
    { type: 'session_meta', payload: { id: thread, cwd: '/home/ann/orchard' } },
    {
      type: 'response_item',
      payload: {
        type: 'message',
        role: 'user',
        content: [{ type: 'input_text', text: 'what to do with the hedge' }],
      },
    },
  ].map((line) => JSON.stringify({ timestamp: '2026-09-10T09:00:00.000Z', ...line }))
  fs.writeFileSync(
    path.join(day, `rollout-2026-09-10T09-00-00-${thread}.jsonl`),
    `${lines.join('\n')}\n`,
  )
  return folder
}

async function titleIn(root: string): Promise<string | undefined> {
  const disk = historyDisk(appDisk)
  const { conversations } = await readRoot(codexReader, root, disk, new AbortController().signal)
  return conversations[0]?.title
}

const table =
  'pragma journal_mode = wal; create table threads (id text primary key, title text, first_user_message text);'

describe.skipIf(!hasSqlite3)('the title of a Codex thread', () => {
  it('is that of the newest state database, also when it is in the log alone', async () => {
    const root = home()
    writeDatabase(
      path.join(root, 'state_4.sqlite'),
      `${table} insert into threads values ('${thread}', 'an old one', '');`,
    )
    const file = path.join(root, 'state_5.sqlite')
    writeDatabase(
      file,
      `${table} insert into threads values ('${thread}', 'Working title', 'what to do');`,
    )
    writeDatabase(file, `update threads set title = 'Hedge plan, autumn';`, true)
    fs.writeFileSync(
      path.join(root, 'session_index.jsonl'),
      `${JSON.stringify({ id: thread, thread_name: 'by the index' })}\n`,
    )
    const names = fs.readdirSync(root).sort()
    const bytes = fs.readFileSync(file)
    expect(await titleIn(root)).toBe('Hedge plan, autumn')
    expect(fs.readdirSync(root).sort()).toEqual(names)
    expect(fs.readFileSync(file).equals(bytes)).toBe(true)
    writeDatabase(file, `update threads set title = 'Hedge, winter';`, true)
    expect(await titleIn(root)).toBe('Hedge, winter')
  })

  it('is that of the index, or the first words, where the database only repeats the first message or cannot be read', async () => {
    const root = home()
    const file = path.join(root, 'state_5.sqlite')
    writeDatabase(
      file,
      `${table} insert into threads values ('${thread}', 'what to do ', 'what to do');`,
      true,
    )
    expect(await titleIn(root)).toBe('what to do with the hedge')
    fs.writeFileSync(
      path.join(root, 'session_index.jsonl'),
      `${JSON.stringify({ id: thread, thread_name: 'by the index' })}\n`,
    )
    expect(await titleIn(root)).toBe('by the index')
    fs.rmSync(`${file}-wal`)
    fs.writeFileSync(file, 'no database at all, but long enough to look like one. '.repeat(20))
    expect(await titleIn(root)).toBe('by the index')
  })

  it('is the name of a release that has one', async () => {
    const root = home()
    writeDatabase(
      path.join(root, 'state_6.sqlite'),
      `pragma journal_mode = wal; create table threads (id text primary key, name text, title text);
       insert into threads values ('${thread}', 'Named by hand', 'made by the program');`,
      true,
    )
    expect(await titleIn(root)).toBe('Named by hand')
  })
})
