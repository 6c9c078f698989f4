import path from 'node:path'
import { expect, it } from 'vitest'
import { fileToReveal } from '../../../src/main/compose/reveal-place'
import { nodeDisk } from '../../../src/main/disk/node/node-disk'
import { type Histories, openHistories } from '../../../src/main/library/sources/histories'

const home = path.resolve('/home/mira/.chibi')
const none = (): Histories => {
  throw new Error('histories are not asked for our own contexts')
}

it.each([
  ['', '', home],
  ['garden', '', path.join(home, 'contexts/garden')],
  ['garden', 'contexts/garden/todos.md', path.join(home, 'contexts/garden/todos.md')],
])('shows %j of %j', async (key, file, place) => {
  expect(await fileToReveal(home, none, key, file)).toBe(place)
})

it.each(['../garden-2/x', 'config.toml', 'contexts/garden-2/x', '/etc/passwd'])(
  'leads nowhere else: %s',
  async (file) => {
    await expect(fileToReveal(home, none, 'garden', file)).rejects.toMatchObject({
      code: 'bad-argument',
    })
  },
)

it.each(['..', '../..', 'a/b', '.'])('leads nowhere by a key either: %s', async (key) => {
  await expect(fileToReveal(home, none, key, '')).rejects.toMatchObject({ code: 'bad-argument' })
})

it("says that another system's conversation is not there any more", async () => {
  const histories = openHistories(nodeDisk, [])
  await expect(fileToReveal(home, () => histories, 'cycod:x', '')).rejects.toMatchObject({
    code: 'not-found',
  })
})
