import path from 'node:path'
import { expect, it } from 'vitest'
import { branchesCommand } from '../../../../src/cli/commands/branches'
import { readCommand } from '../../../../src/cli/commands/read'
import { nodeDisk } from '../../../../src/main/disk/node/node-disk'
import { branchFromContext } from '../../../../src/main/library/branch/branch-from-context'
import { openFamilies } from '../../../../src/main/library/families/families'
import { openStore } from '../../../../src/main/store/open-store'
import { ConversationKey, LibraryKey } from '../../../../src/shared/model/conversation/conversation'
import { requireWhole } from '../../../../src/shared/model/conversation/reading'
import { run } from '../../../cli/run'
import { message } from '../../../support/entries'
import { tempFolders } from '../../../support/temp-folder'

const temp = tempFolders()
const startMs = Date.parse('2026-11-01T12:00:00Z')

/** A home whose garden has a branch, made at its second message; then the garden goes on. */
async function homeWithBranch() {
  const home = path.join(temp(), 'home')
  let nowMs = startMs
  const store = openStore({ home, disk: nodeDisk, now: () => nowMs })
  const say = async (name: string, ...texts: string[]) => {
    const writer = await store.openWriter(name, {
      create: (await store.findContext(name)) === undefined,
    })
    for (const text of texts)
      await writer.append(message(text, { timestamp: Math.floor(nowMs / 1000) }))
    await writer.close()
  }
  await say('garden', 'How do I prune roses?', 'And tulips?', 'And trees?')
  const rows = []
  for await (const row of requireWhole((await store.readWhole('garden')).rows))
    if (row.type === 'entry') rows.push(row.entry)
  const at = rows[2]
  if (at === undefined) throw new Error('nothing was said')
  nowMs += 60_000
  const { beginning } = await branchFromContext(
    store,
    nodeDisk,
    ConversationKey.parse('garden'),
    { entry: at.id, file: at.file, offset: at.offset },
    'branch',
  )
  await (await store.openWriter('garden-2', { create: true, beginning: beginning() })).close()
  await say('garden-2', 'In pots?')
  nowMs += 60_000
  await say('garden', 'And grass?')
  return { home, store, say }
}

it('a branch goes on belonging to the context that it was made from, whatever that is called', async () => {
  const { home, store } = await homeWithBranch()
  await store.contexts.rename('garden', 'allotment')
  const told = JSON.parse((await run(readCommand, ['--home', home, '--json'])).out)
  const branch = told.conversations.find((one: { key: string }) => one.key === 'garden-2')
  expect(branch.parent).toEqual({ key: 'allotment', entries: 2 })
  const { families } = JSON.parse((await run(branchesCommand, ['--home', home, '--json'])).out)
  expect(families).toHaveLength(1)
  const [trunk] = families[0].nodes
  expect(trunk.keys).toEqual(['allotment', 'garden-2'])
})

it('also when a new one has taken the old name', async () => {
  const { home, store, say } = await homeWithBranch()
  await store.contexts.rename('garden', 'allotment')
  await say('garden', 'Something else.')
  const told = JSON.parse((await run(readCommand, ['--home', home, '--json'])).out)
  const branch = told.conversations.find((one: { key: string }) => one.key === 'garden-2')
  expect(branch.parent).toEqual({ key: 'allotment', entries: 2 })
})

it('and the window, which remembers what it read before, shows both in one tree', async () => {
  const { home, store } = await homeWithBranch()
  const cacheFolder = temp()
  const familyOf = async (key: string) => {
    const families = openFamilies({
      disk: nodeDisk,
      home,
      roots: [],
      cacheFolder,
      changed: () => undefined,
    })
    await families.family(LibraryKey.parse(key))
    await families.settled()
    const { view } = await families.family(LibraryKey.parse(key))
    await families.close()
    return JSON.stringify(view)
  }
  expect(await familyOf('garden')).toContain('garden-2')
  await store.contexts.rename('garden', 'allotment')
  const renamed = await familyOf('allotment')
  expect(renamed).toContain('garden-2')
  expect(await familyOf('garden-2')).toContain('allotment')
})
