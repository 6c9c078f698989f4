import { expect, it } from 'vitest'
import { automaticTitles } from '../../../../src/main/llm/titles/automatic'
import { LibraryKey } from '../../../../src/shared/model/conversation/conversation'

it('asks once where two answers are whole before it is known that nobody chose the name', async () => {
  const asked: string[] = []
  const automatic = automaticTitles({
    isAllowed: async () => true,
    transcripts: () => ({ page: () => Promise.reject(new Error('a made name is not read')) }),
    formerNames: async () => [],
    ask: async (key, signal) => {
      asked.push(key)
      await new Promise((resolve) => signal.addEventListener('abort', resolve))
      return { outcome: 'stopped' }
    },
    titled: () => {},
    note: (words) => expect.unreachable(words),
  })
  const progress = { key: LibraryKey.parse('chat-2026-11-28'), phase: 'complete' } as const
  automatic.heard(progress)
  automatic.heard(progress)
  await expect.poll(() => asked).toEqual([progress.key])
  await automatic.close()
  expect(asked).toEqual([progress.key])
})
