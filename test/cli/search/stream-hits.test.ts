import { expect, it } from 'vitest'
import { streamHits } from '../../../src/cli/search/stream-hits'
import type { SearchHit } from '../../../src/shared/model/search'

const hit = (entryId: string) => ({ entryId }) as unknown as SearchHit

it('resolves when the hits are written, so that a search waits for who reads them', async () => {
  const written: string[] = []
  const goOn: (() => void)[] = []
  const output = {
    write: (line: string | Uint8Array) =>
      new Promise<void>((resolve) => {
        written.push(JSON.parse(String(line)).entryId)
        goOn.push(resolve)
      }),
    say: () => undefined,
    isTerminal: false,
  }
  const turn = () => new Promise((resolve) => setImmediate(resolve))
  const stream = streamHits(
    { output },
    10,
    () => undefined,
    async () => undefined,
  )
  let isTaken = false
  const taking = stream.found([hit('a'), hit('b')]).then(() => {
    isTaken = true
  })
  await turn()
  expect(written).toEqual(['a'])
  goOn.shift()?.()
  await turn()
  expect([written, isTaken]).toEqual([['a', 'b'], false])
  goOn.shift()?.()
  await taking
  expect(isTaken).toBe(true)
})
