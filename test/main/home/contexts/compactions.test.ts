import { expect, it } from 'vitest'
import {
  openCompactions,
  type RunningCompaction,
} from '../../../../src/main/home/contexts/compactions'
import type { CompactionResult, CompactionStep } from '../../../../src/main/llm/compaction'
import { libraryKeyOf } from '../../../../src/shared/model/conversation/conversation'
import { quiet } from '../../../support/quiet'

const key = libraryKeyOf('chibi', 'garden')

/** Compactions that each go on until they are let go, or stopped. */
function opened(running: readonly string[] = []) {
  const told: RunningCompaction[] = []
  const appended: string[] = []
  let letGo = () => {}
  async function* steps(
    _: unknown,
    signal: AbortSignal,
  ): AsyncGenerator<CompactionStep, CompactionResult> {
    yield { phase: 'choosing' }
    yield { phase: 'summarizing' }
    await new Promise<void>((resolve) => {
      letGo = resolve
      if (signal.aborted) resolve()
      signal.addEventListener('abort', () => resolve(), { once: true })
    })
    return signal.aborted
      ? { type: 'stopped' }
      : { type: 'failed', words: 'No summary was written.' }
  }
  const compactions = openCompactions({
    steps,
    isRunning: (name) => running.includes(name),
    released: async () => undefined,
    changed: (state) => void told.push(state),
    appended: async (one) => void appended.push(one),
  })
  const compact = (mode: RunningCompaction['mode'], signal?: AbortSignal) =>
    compactions.compact({ context: 'garden', mode }, signal)
  return { ...compactions, compact, told, appended, letGo: () => letGo() }
}

it('tells how far it is, and what became of it', async () => {
  const { compact, running, told, appended, letGo } = opened()
  const ending = compact('rolling')
  await quiet()
  expect(running()).toEqual([{ key, mode: 'rolling', phase: 'summarizing' }])
  letGo()
  expect(await ending).toEqual({ type: 'failed', words: 'No summary was written.' })
  expect(told.map(({ phase }) => phase)).toEqual(['choosing', 'summarizing', 'ended'])
  expect(running()).toEqual([])
  expect(appended).toEqual([key])
})

it('is one at a time, and never beside a run', async () => {
  const { compact, close } = opened()
  const ending = compact('full')
  await expect(compact('full')).rejects.toMatchObject({ code: 'busy' })
  await quiet()
  await close()
  expect(await ending).toEqual({ type: 'stopped' })
  await expect(opened(['garden']).compact('drop')).rejects.toMatchObject({ code: 'busy' })
})

it('is stopped by a person, or by a signal', async () => {
  const { compact, cancel } = opened()
  const ending = compact('full')
  await quiet()
  cancel('garden')
  expect(await ending).toEqual({ type: 'stopped' })
  expect(await compact('full', AbortSignal.abort())).toEqual({ type: 'stopped' })
})
