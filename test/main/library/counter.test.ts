import path from 'node:path'
import { afterAll, expect, it } from 'vitest'
import { nodeDisk } from '../../../src/main/disk/node-disk'
import { type Counter, threadCounter } from '../../../src/main/library/counter'
import { glanceAt } from '../../../src/main/readers/glance'
import { readers } from '../../../src/main/readers/index'
import { openStore } from '../../../src/main/store/open-store'
import { builtWorker } from '../../support/built-worker'

const fixtures = path.resolve(import.meta.dirname, '../../fixtures')
const signal = new AbortController().signal
const foreign = readers.filter(({ id }) => id !== 'chibi')
const workerPath = builtWorker('library/count.worker.ts')
let opened: Counter | undefined

function threads(): Counter {
  opened ??= threadCounter(nodeDisk, workerPath())
  return opened
}

afterAll(() => opened?.close())

it.each(foreign)(
  'sees of $label in a thread what is seen here, also where it fails',
  async (reader) => {
    let compared = 0
    for (const folder of ['input', 'midnight', '.'])
      for await (const ref of reader.list(
        path.join(fixtures, 'readers', reader.id, folder),
        nodeDisk,
        signal,
      )) {
        // As if the listing had told nothing.
        const { glance: _, ...bare } = ref
        const gone = { ...bare, root: path.join(ref.root, 'gone') }
        for (const one of [bare, gone]) {
          const words = (error: Error) => error.message
          const here = await glanceAt(reader, one, nodeDisk, signal).catch(words)
          const wrapped = { ...reader, list: async function* () {} }
          for (const of of [reader, wrapped])
            expect(await threads().glance({ reader: of, ref: one }, signal).catch(words)).toEqual(
              here,
            )
        }
        compared += 1
      }
    expect(compared).toBeGreaterThan(0)
  },
)

it('sees in a thread when contexts began and ended', async () => {
  let compared = 0
  for (const home of ['home-v05', 'home-v09']) {
    const store = openStore({ home: path.join(fixtures, 'chibi', home), disk: nodeDisk })
    for (const listing of await store.listContexts()) {
      const bare = { ...listing, createdAt: undefined }
      expect(await threads().ends(store, bare)).toEqual(await store.readEnds(bare))
      compared += 1
    }
  }
  expect(compared).toBeGreaterThan(1)
})
