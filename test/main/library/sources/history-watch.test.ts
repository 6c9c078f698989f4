import fs from 'node:fs'
import path from 'node:path'
import { afterEach, expect, it } from 'vitest'
import { nodeDisk } from '../../../../src/main/disk/node/node-disk'
import { watchHistories } from '../../../../src/main/library/sources/history-watch'
import { memoryFolder, tempFolders } from '../../../support/temp-folder'

const temp = tempFolders(memoryFolder)
const closing: (() => void)[] = []
afterEach(() => {
  for (const close of closing.splice(0)) close()
})

it('a conversation that begins in a folder of its own, beside that of a known one, is noticed', async () => {
  const root = temp()
  const known = path.join(root, 'chats', 'of-a-project', 'chat-a')
  fs.mkdirSync(known, { recursive: true })
  let changes = 0
  const watch = watchHistories(nodeDisk, [{ source: 'pi', path: root }], () => {
    changes += 1
  })
  closing.push(() => watch.close())
  const file = 'chats/of-a-project/chat-a/store.db'
  const ref = { source: 'pi', root, key: 'chat-a', bytes: 1, updatedAtMs: 1 } as const
  watch.follow([{ ref: { ...ref, files: [{ file, bytes: 1, mtimeMs: 1 }] } }])
  fs.mkdirSync(path.join(path.dirname(known), 'chat-b'))
  await expect.poll(() => changes).toBeGreaterThan(0)
})
