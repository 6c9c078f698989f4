import { expect, it } from 'vitest'
import { textTranscript } from '../../../../../src/main/readers/cursor/lines/text-transcript'

const told = (text: string) =>
  textTranscript(text).map(({ entry_type, from, to, content }) => [entry_type, from, to, content])

it('a page has turns, with thoughts, calls and results by their marks', () => {
  const page =
    'user:\r\n<user_query>\r\nmend it\r\n</user_query>\r\n\r\nA:\r\n[Thinking] a hinge\r\n[Tool call] Read\r\n  path: gate.md\r\n[Tool result] Read\r\nleft hinge\r\nassistant:\r\nIt hangs.\r\n'
  expect(told(page)).toEqual([
    ['message', 'user', 'cursor', 'mend it'],
    ['reasoning', 'cursor', 'user', 'a hinge'],
    ['tool_call', 'cursor', 'Read', 'path: gate.md'],
    ['tool_result', 'Read', 'cursor', 'left hinge'],
    ['message', 'cursor', 'user', 'It hangs.'],
  ])
})

it('text before the first turn, and marks in a person’s words, are kept as they are', () => {
  expect(told('a note\nuser:\n[Thinking] of you\n')).toEqual([
    ['unknown', 'cursor', 'user', 'a note'],
    ['message', 'user', 'cursor', '[Thinking] of you'],
  ])
  expect(told(' \n')).toEqual([])
})
