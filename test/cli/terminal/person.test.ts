import { expect, it } from 'vitest'
import { askPersonFor } from '../../../src/cli/terminal/person'
import type { ToolPreview } from '../../../src/main/tools/base/tool'

const call = { id: 'c', tool: 'send_message', args: {} }
const { signal } = new AbortController()
const message: ToolPreview = { title: 'Send a message from a to b', reach: { type: 'home' } }
const creating: ToolPreview = { ...message, reach: { type: 'home', creates: 'b' } }

it('asks about a context that would be made, although messages are always allowed in this run', async () => {
  const asked: string[] = []
  const answers = ['a', 'n']
  const ask = askPersonFor(
    [],
    async (question) => {
      asked.push(question)
      return answers.shift()
    },
    () => {},
  )
  expect(await ask(call, message, signal)).toEqual({ allowed: true, as: 'always' })
  expect(await ask(call, message, signal)).toEqual({ allowed: true, as: 'always' })
  expect(await ask(call, creating, signal)).toEqual({ allowed: false })
  expect(asked).toHaveLength(2)
})

it('takes --allow as the word on contexts that messages make', async () => {
  const ask = askPersonFor(['send_message'], undefined, () => {})
  expect(await ask(call, creating, signal)).toEqual({ allowed: true, as: 'always' })
})
