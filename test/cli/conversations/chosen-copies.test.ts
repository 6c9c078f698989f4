import { expect, it } from 'vitest'
import { readCommand } from '../../../src/cli/commands/read'
import { showCommand } from '../../../src/cli/commands/show'
import { appDisk } from '../../../src/main/disk/app-disk'
import { historyDisk } from '../../../src/main/readers/history-disk'
import { fixtures, run } from '../run'

const input = `${fixtures}/readers/cursor/input`
const chat = 'b3092f33-ad69-4acc-a560-0d6eb15487a2'
const roots = ['projects', 'chats'].flatMap((folder) => ['--root', `cursor=${input}/${folder}`])
const disk = historyDisk(appDisk)

it('a chat in stores under two roots is read once, from the richer', async () => {
  const { out } = await run(readCommand, [...roots, '--json'], { disk })
  const { conversations } = JSON.parse(out) as {
    conversations: { key: string; entries: unknown[] }[]
  }
  const found = conversations.filter(({ key }) => key === chat)
  expect(found.map(({ entries }) => entries.length > 5)).toEqual([true])
  expect(conversations.length).toBeGreaterThan(1)
  expect((await run(showCommand, [chat, ...roots], { disk })).out).toContain(
    'the long path is even',
  )
})
