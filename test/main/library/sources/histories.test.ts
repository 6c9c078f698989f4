import path from 'node:path'
import { expect, it } from 'vitest'
import { appDisk } from '../../../../src/main/disk/app-disk'
import { openHistories } from '../../../../src/main/library/sources/histories'
import { historyDisk } from '../../../../src/main/readers/history-disk'

const fixture = path.join(__dirname, '../../../fixtures/readers/cursor/input')

it.each([
  ['projects', 'chats'],
  ['chats', 'projects'],
])(
  'a conversation in stores under two roots is one, from the richer: %s, %s',
  async (...folders) => {
    const roots = folders.map((folder) => ({
      source: 'cursor' as const,
      path: path.join(fixture, folder),
    }))
    const histories = await openHistories(historyDisk(appDisk), roots).list()
    const keys = histories.map(({ key }) => key)
    expect(new Set(keys).size).toBe(keys.length)
    const places = histories
      .filter(({ ref }) => ref.key.startsWith('b3092f33'))
      .map(({ ref }) => ref.files[0]?.file)
    expect(places).toEqual([expect.stringContaining('/store.db/')])
  },
)
