import { spawn } from 'node:child_process'
import path from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import { messageSql, opencodeTables, sessionSql } from '../support/opencode-rows'
import { folderState, hasSqlite3, writeDatabase } from '../support/sqlite3'
import { tempFolders } from '../support/temp-folder'
import { launchSkein } from './support/app'
import { homeWith, partsOf } from './support/scenes'

const folder = tempFolders()

/** Another program that has the database open all the time, and leaves what it writes in its log. */
function openWriter(file: string): (sql: string) => void {
  const writer = spawn('sqlite3', ['-batch', file], { stdio: ['pipe', 'ignore', 'inherit'] })
  onTestFinished(() => void writer.kill())
  writer.stdin.write('.timeout 60000\npragma wal_autocheckpoint = 0;\n')
  return (sql) => void writer.stdin.write(`${sql}\n`)
}

it.skipIf(!hasSqlite3)(
  'shows a chat while another program writes it to its database, and a new one beside it',
  async () => {
    const root = folder()
    const file = path.join(root, 'opencode.db')
    const at = (n: number) => 1_790_000_000_000 + n * 1000
    writeDatabase(
      file,
      `pragma journal_mode = wal; ${opencodeTables}
      ${sessionSql('ses_1', 'Prune the pear')} ${messageSql('ses_1', 'msg_1', 'user', 'When?', at(1))}`,
    )
    const write = openWriter(file)
    const { page, problems } = await launchSkein({
      home: homeWith({}),
      args: ['--root', `opencode=${root}`],
    })
    const { conversation, transcript, turns } = partsOf(page)
    await conversation('Prune the pear').click()
    await transcript.getByText('When?', { exact: true }).waitFor()

    write(messageSql('ses_1', 'msg_2', 'assistant', 'In February.', at(2)))
    await transcript.getByText('In February.').waitFor()
    // The text of a message grows while the model answers.
    const grown = JSON.stringify({ type: 'text', text: 'In February, before the buds.' })
    write(`update part set data = '${grown}', time_updated = ${at(3)} where id = 'prt_msg_2';`)
    await transcript.getByText('In February, before the buds.').waitFor()
    await expect.poll(() => turns.count()).toBe(2)

    write(`${sessionSql('ses_2', 'Cut the hedge', at(9))}
      ${messageSql('ses_2', 'msg_3', 'user', 'How high?', at(9))}`)
    await conversation('Cut the hedge').click()
    await transcript.getByText('How high?').waitFor()
    // Reading leaves no file of its own there.
    expect(
      folderState(root)
        .split('\n')
        .map((line) => line.split(' ')[0]),
    ).toEqual(['opencode.db', 'opencode.db-shm', 'opencode.db-wal'])
    expect(problems).toEqual([])
  },
)
