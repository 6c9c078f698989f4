import fs from 'node:fs/promises'
import path from 'node:path'
import { expect, it } from 'vitest'
import { nodeDisk } from '../../../../src/main/disk/node/node-disk'
import { modelsHandlers } from '../../../../src/main/ipc/handlers/models'
import { openHistories } from '../../../../src/main/library/sources/histories'
import { openTranscripts } from '../../../../src/main/library/sources/library-transcripts'
import type { ModelCatalog } from '../../../../src/main/settings/model-catalog'
import { openStore } from '../../../../src/main/store/open-store'
import { LibraryKey } from '../../../../src/shared/model/conversation/conversation'
import type { ProvidersView } from '../../../../src/shared/model/settings/model-info'
import { allowed } from '../../../support/permissions'
import { tempFolders } from '../../../support/temp-folder'

const folder = tempFolders()
const view: ProvidersView = { providers: [], recent: [] }

/** The window's calls over a home with one context of these lines. */
async function handlersOver(lines: readonly object[]) {
  const home = path.join(folder(), 'home')
  const context = path.join(home, 'contexts', 'garden', 'transcript')
  await fs.mkdir(path.join(context, 'partitions'), { recursive: true })
  const text = lines.map((line) => `${JSON.stringify(line)}\n`).join('')
  await fs.writeFile(path.join(context, 'partitions', 'active.jsonl'), text)
  await fs.writeFile(
    path.join(context, 'manifest.json'),
    JSON.stringify({ version: 1, active_partition: 'partitions/active.jsonl', partitions: [] }),
  )
  const store = openStore({ home, disk: nodeDisk })
  const transcripts = openTranscripts({
    disk: nodeDisk,
    store,
    histories: openHistories(nodeDisk, []),
  })
  const asked: (readonly string[])[] = []
  const told: string[] = []
  // The handlers use nothing else of a desk.
  const desk = {
    prices: async (models: readonly string[]) => {
      asked.push(models)
      return new Map([['m', { price: { input: 1, output: 10 }, baseUrl: 'https://x/v1' }]])
    },
    choose: async () => ({}),
    providers: { view: async () => view, add: async () => undefined },
  } as unknown as ModelCatalog
  const handlers = modelsHandlers(
    () => desk,
    () => ({ transcripts }),
    allowed,
    { changed: () => void told.push('providers') },
    async () => told.push('settings'),
  )
  return { handlers, asked, told }
}

const line = (id: string, more: object) => ({
  id,
  timestamp: 1_700_000_000,
  from: 'garden',
  to: 'user',
  content: id,
  entry_type: 'message',
  role: 'agent',
  ...more,
})
const answer = (id: string, model: string, usage?: object) =>
  line(id, { metadata: { model, ...(usage === undefined ? {} : { usage }) } })

it('adds up what a branch cost: its own answers, apart from those that it took over', async () => {
  const { handlers, asked } = await handlersOver([
    line('a0', {
      entry_type: 'context_created',
      role: undefined,
      metadata: { origin: { source: 'chibi', key: 'parent', entry: 'a2', entries: 2 } },
    }),
    line('a1', { role: 'user', to: 'garden' }),
    answer('a2', 'm', { input: 100, output: 10, cost: 0.5 }),
    line('a3', { role: 'user', to: 'garden' }),
    answer('a4', 'm', { input: 7, output: 3 }),
    answer('a4', 'm', { input: 7, output: 3 }),
    answer('a5', 'other', { input: 1, output: 1, cost: 0.25 }),
    answer('a6', 'm'),
  ])
  const { own, inherited } = await handlers.usage({ key: LibraryKey.parse('garden') })
  expect(own).toEqual({
    answers: 3,
    told: 2,
    input: 8,
    output: 4,
    cached: 0,
    reasoning: 0,
    cost: 0.25,
    priced: 1,
    estimate: 37,
    estimated: 1,
  })
  expect([inherited.answers, inherited.input, inherited.cost]).toEqual([1, 100, 0.5])
  // A told cost needs no price.
  expect(asked).toEqual([['m']])
})

it('ends the sum that nobody waits for any more', async () => {
  const { handlers } = await handlersOver([answer('a', 'm')])
  const key = LibraryKey.parse('garden')
  const first = handlers.usage({ key })
  const second = handlers.usage({ key })
  await expect(first).rejects.toMatchObject({ code: 'cancelled' })
  expect((await second).own.answers).toBe(1)
})

it('tells every window of a change, and of the settings that follow from it', async () => {
  const { handlers, told } = await handlersOver([])
  expect(await handlers.addProvider({ name: 'a', baseUrl: 'https://a/v1' })).toEqual(view)
  await handlers.choose({ baseUrl: 'https://a/v1', model: 'm' })
  expect(told).toEqual(['providers', 'settings', 'providers', 'settings'])
})
