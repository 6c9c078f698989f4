import { execFileSync } from 'node:child_process'
import path from 'node:path'
import { expect, it } from 'vitest'
import { nodeDisk } from '../../../src/main/disk/node-disk'
import { openStore } from '../../../src/main/store/open-store'
import { message } from '../../support/entries'
import { tempFolders } from '../../support/temp-folder'

const folder = tempFolders()

it.skipIf(process.platform === 'win32')(
  'refuses a pipe in the place of a file, instead of waiting for it',
  async () => {
    const home = path.join(folder(), 'home')
    const store = openStore({ home, disk: nodeDisk })
    for (const name of ['piped', 'well']) {
      const writer = await store.openWriter(name, { create: true })
      await writer.append(message('here'))
      await writer.close()
    }
    const active = path.join(home, 'contexts/piped/transcript/active.jsonl')
    await nodeDisk.unlink(active)
    execFileSync('mkfifo', [active])

    await expect(store.readPage('piped', 'end', 10)).rejects.toMatchObject({ code: 'unreadable' })
    expect((await store.listContexts()).map(({ name }) => name)).toEqual(['piped', 'well'])
    expect((await store.readPage('well', 'end', 10)).rows).toHaveLength(2)
  },
)
