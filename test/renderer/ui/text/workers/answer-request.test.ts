import { expect, it } from 'vitest'
import { answerRequest } from '../../../../../src/renderer/ui/text/workers/answer-request'

it('answers with what the work returns, and without an answer where it throws', () => {
  const posted: unknown[] = []
  const post = (message: object) => posted.push(message)
  answerRequest(1, () => 'a', post)
  answerRequest(2, () => undefined, post)
  answerRequest(
    3,
    () => {
      throw new Error('no work')
    },
    post,
  )
  expect(posted).toEqual([{ id: 1, answer: 'a' }, { id: 2 }, { id: 3 }])
})

it('has no answer where what came of the work is nested too deep for a message', () => {
  let deep: unknown[] = []
  for (let times = 0; times < 100_000; times++) deep = [deep]
  const posted: unknown[] = []
  answerRequest(
    4,
    () => deep,
    (message) => posted.push(structuredClone(message)),
  )
  expect(posted).toEqual([{ id: 4 }])
})
