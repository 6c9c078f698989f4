import { expect, it } from 'vitest'
import { parseArguments } from '../../src/cli/arguments'
import { ask } from '../../src/cli/commands/ask'
import { branches } from '../../src/cli/commands/branches'
import { compact } from '../../src/cli/commands/compact'
import { contexts } from '../../src/cli/commands/contexts'
import { duplicates } from '../../src/cli/commands/duplicates'
import { exportConversation } from '../../src/cli/commands/export'
import { helpText } from '../../src/cli/commands/help'
import { inspect } from '../../src/cli/commands/inspect'
import { list } from '../../src/cli/commands/list'
import { plugins } from '../../src/cli/commands/plugins'
import { read } from '../../src/cli/commands/read'
import { search } from '../../src/cli/commands/search'
import { show } from '../../src/cli/commands/show'
import { sources } from '../../src/cli/commands/sources'
import { stats } from '../../src/cli/commands/stats'
import { tail } from '../../src/cli/commands/tail'
import { tool } from '../../src/cli/commands/tool'
import { verify } from '../../src/cli/commands/verify'

const commands = [
  ...[sources, list, search, show, tail, branches, stats, duplicates, read, exportConversation],
  ...[ask, compact, contexts, inspect, tool, plugins, verify],
]
const known = Object.fromEntries(commands.map(({ name, flags }) => [name, flags]))
const parse = (...argv: string[]) => parseArguments(argv, [], known)

it('says which commands of other tools each one is for', () => {
  const text = helpText(commands)
  for (const old of [
    'chibi -g N',
    'cycodj list',
    'cycodj show',
    'cycodj search',
    'cycodj branches',
  ])
    expect(text).toContain(old)
  for (const old of ['cycodj stats', 'cycodj cleanup', 'exchanges tail', 'exchanges search'])
    expect(text).toContain(old)
})

it.each(commands.map((command) => [command.name, command] as const))(
  'says what every option of %s does',
  (name, command) => {
    const text = helpText(commands, name)
    expect(text).toMatch(new RegExp(`^skein ${name}`))
    for (const flag of command.flags) expect(text).toContain(`--${flag}`)
  },
)

it('says what there is where the command is none', () => {
  expect(helpText(commands, 'nonsense')).toBe(helpText(commands))
})

it.each([[['show', '--help']], [['--help', 'show']], [['help', 'show']], [['show', 'key', '-h']]])(
  'understands %j as a question about show',
  (argv) => {
    const { command, operands } = parse(...argv)
    expect([command, operands[0]]).toEqual(['help', 'show'])
  },
)
