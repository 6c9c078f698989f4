import fs from 'node:fs'
import { homedir } from 'node:os'
import path from 'node:path'
import { expect, it } from 'vitest'
import { nodeDisk } from '../../../../src/main/disk/node/node-disk'
import { exporterOf } from '../../../../src/main/exporters/index'
import { openContinuing } from '../../../../src/main/home/continuing/continuing'
import { openHistories } from '../../../../src/main/library/sources/histories'
import { AppError } from '../../../../src/shared/model/basics/errors'
import { LibraryKey } from '../../../../src/shared/model/conversation/conversation'
import { atEveryReading, readFaults } from '../../../support/read-faults'
import { tempFolders } from '../../../support/temp-folder'

const temp = tempFolders()
const id = '0199aaaa-bbbb-7ccc-8ddd-eeeeffff0000'

/** Claude Code's folder with one session. */
function claudeRoot(): string {
  const root = temp()
  const file = path.join(root, 'projects/-srv-garden', `${id}.jsonl`)
  const message = { role: 'user', content: 'Soup?' }
  const line = { type: 'user', uuid: 'u1', parentUuid: null, sessionId: id, message, cwd: '/srv' }
  fs.mkdirSync(path.dirname(file), { recursive: true })
  fs.writeFileSync(file, `${JSON.stringify(line)}\n`)
  return root
}

it.each(readFaults)(
  'a conversation that cannot be read has a command, or the reason in words: $errno',
  async (plan) => {
    const root = claudeRoot()
    const key = LibraryKey.parse(`claude-code:${id}`)
    const command = `cd /srv && claude --resume ${id}`
    const { refused } = await atEveryReading(
      plan,
      async (disk) => {
        const histories = openHistories(disk, [{ source: 'claude-code', path: root }])
        const { commandOf } = openContinuing(disk, histories, 'linux')
        return commandOf(key, new AbortController().signal)
      },
      (outcome) => {
        if ('made' in outcome) expect(outcome.made).toBe(command)
        else expect(outcome.refused).toBeInstanceOf(AppError)
      },
    )
    expect(refused).toBeGreaterThan(0)
  },
)

it('a session goes on in the own folder where its project cannot be looked at', async () => {
  const root = temp()
  fs.mkdirSync(path.join(root, 'sessions'))
  const loop = path.join(temp(), 'loop')
  fs.symlinkSync('loop', loop)
  const histories = openHistories(nodeDisk, [{ source: 'pi', path: root }])
  const { placeOf } = openContinuing(nodeDisk, histories, 'linux')
  for (const project of [path.join(loop, 'garden'), `/${'x'.repeat(300)}`, '/a\u0000b']) {
    const place = await placeOf(exporterOf('pi'), { created: null, project })
    expect(place.folder).toBe(fs.realpathSync(homedir()))
  }
})
