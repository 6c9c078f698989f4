import { expect, it } from 'vitest'
import type { z } from 'zod'
import { compactionDomain } from '../../../../src/main/ipc/handlers/compaction'
import type { OpenHome } from '../../../../src/main/ipc/open-home'
import type { CompactionResult, CompactionStep } from '../../../../src/main/llm/compaction/compact'
import type { CompactionState } from '../../../../src/shared/ipc/runs/compaction'
import { libraryKeyOf } from '../../../../src/shared/model/conversation/conversation'
import { quiet } from '../../../support/quiet'

const key = libraryKeyOf('chibi', 'garden')

/** The domain over a compaction that goes on until it is let go, or stopped. */
function domain(running: readonly string[] = []) {
  const told: z.input<typeof CompactionState>[] = []
  const poked: string[] = []
  let letGo = () => {}
  // Of a home the calls use these alone.
  const home = {
    runs: { isRunning: (name: string) => running.includes(name) },
    library: { refresh: async () => undefined },
  } as unknown as OpenHome
  async function* compact(
    _: unknown,
    signal: AbortSignal,
  ): AsyncGenerator<CompactionStep, CompactionResult> {
    yield { phase: 'choosing' }
    yield { phase: 'summarizing' }
    await new Promise<void>((resolve) => {
      letGo = resolve
      signal.addEventListener('abort', () => resolve(), { once: true })
    })
    return signal.aborted ? { type: 'stopped' } : { type: 'failed', words: 'No summary came.' }
  }
  const made = compactionDomain(
    () => home,
    { state: (state) => void told.push(state) },
    { compact, poke: async (one) => void poked.push(one) },
  )
  return { ...made, told, poked, letGo: () => letGo() }
}

it('tells how far it is, and what became of it', async () => {
  const { handlers, told, poked, letGo } = domain()
  const ending = handlers.compact({ key, mode: 'rolling' })
  await quiet()
  expect(await handlers.running()).toEqual([{ key, mode: 'rolling', phase: 'summarizing' }])
  letGo()
  expect(await ending).toEqual({ outcome: 'failed', words: 'No summary came.' })
  expect(told.map(({ phase }) => phase)).toEqual(['choosing', 'summarizing', 'ended'])
  expect(await handlers.running()).toEqual([])
  expect(poked).toEqual([key])
})

it('is one at a time, and never beside a run', async () => {
  const { handlers, close } = domain()
  const ending = handlers.compact({ key, mode: 'full' })
  await expect(handlers.compact({ key, mode: 'full' })).rejects.toMatchObject({ code: 'busy' })
  await quiet()
  await close()
  expect(await ending).toEqual({ outcome: 'stopped' })
  const other = domain(['garden'])
  await expect(other.handlers.compact({ key, mode: 'drop' })).rejects.toMatchObject({
    code: 'busy',
  })
})

it('is stopped by a person', async () => {
  const { handlers } = domain()
  const ending = handlers.compact({ key, mode: 'full' })
  await quiet()
  await handlers.cancel({ key })
  expect(await ending).toEqual({ outcome: 'stopped' })
})

it("leaves other systems' conversations alone", async () => {
  const { handlers } = domain()
  const foreign = libraryKeyOf('cycod', 'x')
  await expect(handlers.compact({ key: foreign, mode: 'drop' })).rejects.toMatchObject({
    code: 'bad-argument',
  })
})
