import { expect, it } from 'vitest'
import { replyGrowth } from '../../../../src/shared/model/basics/reply-growth'
import { EntryId } from '../../../../src/shared/model/conversation/entry'
import { answerFollower, sumUsage } from '../../../../src/shared/model/run/usage'

it('counts the greatest numbers of a reply, in whichever order its records come', () => {
  const grown = replyGrowth<{ input: number; output: number }>()
  const told = [
    grown('r1', { input: 10, output: 5 }),
    grown('r1', { input: 10, output: 5 }),
    grown('r2', { input: 1, output: 1 }),
    grown('r1', { input: 10, output: 631 }),
    grown('r1', { input: 10, output: 6 }),
    grown(undefined, { input: 3, output: 3 }),
  ]
  const sum = (of: 'input' | 'output') => told.reduce((total, one) => total + one[of], 0)
  expect([sum('input'), sum('output')]).toEqual([14, 635])
})

it('counts a reply on several lines as one answer with its last tokens', () => {
  const follow = answerFollower()
  const said = [5, 5, 631].map((output, at) => ({
    id: EntryId.parse(`m${at}`),
    timestamp: null,
    from: 'claude',
    to: at === 2 ? 'Bash' : 'user',
    content: `part ${at}`,
    entry_type: at === 2 ? 'tool_call' : 'message',
    ...(at === 2 ? {} : { role: 'agent' as const }),
    metadata: { model: 'm', usage: { input: 1000, output }, reply: 'msg_1 req_1' },
    file: 'f',
    offset: at * 10,
    length: 9,
  }))
  const answers = said.flatMap((entry) => follow(entry) ?? [])
  const { own } = sumUsage(answers, new Map())
  expect([own.answers, own.told, own.input, own.output]).toEqual([1, 1, 1000, 631])
})
