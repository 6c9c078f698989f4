import { expect, it } from 'vitest'
import { shellCommand } from '../../../../src/shared/model/calls/shell-command'
import type { Entry } from '../../../../src/shared/model/conversation/entry'
import { message } from '../../../support/entries'

function call(to: string, args: unknown): Entry {
  return {
    ...message(typeof args === 'string' ? args : JSON.stringify(args)),
    ...{ entry_type: 'tool_call', to, file: 'f', offset: 0, length: 1 },
  }
}

it('has the command of a shell, by the names of several tools, with what else was said', () => {
  for (const [tool, name] of [
    ['Bash', 'command'],
    ['run_terminal_cmd', 'command'],
    ['exec_command', 'cmd'],
    ['execute_command', 'command'],
  ] as const)
    expect(shellCommand(call(tool, { [name]: 'ls -l\ncd ..', workdir: '/orchard' }))).toEqual({
      command: 'ls -l\ncd ..',
      others: { workdir: '/orchard' },
    })
})

it('has the script of a list of words, and other words as a shell reads them', () => {
  expect(shellCommand(call('shell', { command: ['bash', '-lc', 'ls | wc'] }))?.command).toBe(
    'ls | wc',
  )
  expect(shellCommand(call('shell', { command: ['grep', "don't", 'a b'] }))?.command).toBe(
    "grep 'don'\\''t' 'a b'",
  )
})

it('has nothing for other tools, other arguments, and what is no JSON', () => {
  expect(shellCommand(call('read_file', { command: 'ls' }))).toBeUndefined()
  expect(shellCommand(call('Bash', { command: [1] }))).toBeUndefined()
  expect(shellCommand(call('Bash', { command: '' }))).toBeUndefined()
  expect(shellCommand(call('Bash', '{"command": "l'))).toBeUndefined()
})
