import { execFileSync } from 'node:child_process'
import { readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { describe, expect, it } from 'vitest'
import { nodeDisk } from '../../../src/main/disk/node/node-disk'
import { openStore } from '../../../src/main/store/open-store'
import { message } from '../../support/entries'
import { tempFolders } from '../../support/temp-folder'

const folder = tempFolders()

const contexts = (home: string) => path.join(home, 'contexts')
const activeOf = (home: string) => path.join(contexts(home), 'piped/transcript/active.jsonl')
const windowOf = (home: string) => path.join(contexts(home), 'piped/context.jsonl')

/** A home with two contexts; in the place of the first one's active partition is a pipe. */
async function homeWithPipe() {
  const home = path.join(folder(), 'home')
  const store = openStore({ home, disk: nodeDisk })
  for (const name of ['piped', 'well']) {
    const writer = await store.openWriter(name, { create: true })
    await writer.append(message('here'))
    await writer.close()
  }
  await nodeDisk.unlink(activeOf(home))
  execFileSync('mkfifo', [activeOf(home)])
  return { home, store }
}

describe.skipIf(process.platform === 'win32')('a pipe in the place of a file', () => {
  it('is refused in words, instead of being waited for', async () => {
    const { home, store } = await homeWithPipe()
    await nodeDisk.unlink(windowOf(home))

    await expect(store.readPage('piped', 'end', 10)).rejects.toMatchObject({ code: 'unreadable' })
    expect((await store.listContexts()).map(({ name }) => name)).toEqual(['piped', 'well'])
    expect((await store.readPage('well', 'end', 10)).rows).toHaveLength(2)
  })

  it('is named beside the words that context.jsonl still has', async () => {
    const { home, store } = await homeWithPipe()
    const { rows, notice } = await store.readPage('piped', 'end', 10)
    expect(rows.map((row) => row.type === 'entry' && row.entry.content)).toEqual(['here'])
    expect(notice).toBe(
      `${activeOf(home)} is not a file. Only the current context window is left, and is read from context.jsonl.`,
    )
    const { missing } = (await store.listContexts()).find(({ name }) => name === 'piped') ?? {}
    expect(missing?.map(({ sentence }) => sentence)).toEqual([
      `active.jsonl was not read: ${activeOf(home)} is not a file.`,
    ])
  })

  it.each([true, false])(
    'keeps a writer away in words; with context.jsonl: %s',
    async (isThere) => {
      const { home, store } = await homeWithPipe()
      if (!isThere) await nodeDisk.unlink(windowOf(home))
      const before = isThere ? readFileSync(windowOf(home)) : undefined
      await expect(store.openWriter('piped', { create: false })).rejects.toMatchObject({
        code: 'read-only',
        message: `Nothing can be written: ${activeOf(home)} is not a file.`,
      })
      if (before !== undefined) expect(readFileSync(windowOf(home))).toEqual(before)
      expect((await store.findContext('piped'))?.lock).toEqual({ state: 'free' })
      expect(readdirSync(path.dirname(activeOf(home))).sort()).toEqual(['active.jsonl'])
    },
  )
})
