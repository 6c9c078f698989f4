import { expect, it } from 'vitest'
import { systemCandidates } from '../../../../src/main/llm/sent/prompt-candidates'
import type { PromptEvidence } from '../../../../src/main/llm/sent/prompt-evidence'

const now = {
  context: 'garden',
  notes: {},
  agents: undefined,
  username: 'mira',
  fuel: 30,
  isReflectionShown: true,
  combined: undefined,
}
const written = (name: string, times: number) =>
  Array.from({ length: times }, (_, n) => `${name} ${n}`)
const toldWith = (times: number): PromptEvidence => ({
  prompt: 'The prompt.',
  summaries: ['The summary.'],
  notes: {
    todos: written('todo', times),
    goals: written('goal', times),
    reflection: written('thought', times),
  },
})

async function candidates(told: PromptEvidence): Promise<readonly string[]> {
  const all: string[] = []
  for await (const text of systemCandidates([], told, undefined, now, true)) all.push(text)
  return all
}

it('are each another one, the notes as they were before the turn first', async () => {
  const all = await candidates(toldWith(2))
  expect(new Set(all).size).toBe(all.length)
  expect(all[0]).toContain('The prompt.')
  for (const note of ['todo 1', 'goal 1', 'thought 1']) expect(all[0]).toContain(note)
  expect(all.some((text) => text.includes('todo 0') && text.includes('goal 0'))).toBe(true)
})

it('come to an end however often a turn wrote its notes', async () => {
  // A thousand million combinations, none of which waits for anything: the thread would stand still for hours.
  const all = await candidates(toldWith(1000))
  expect(all.length).toBeGreaterThan(1000)
  expect(all.length).toBeLessThanOrEqual(2000)
})
