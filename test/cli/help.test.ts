import { expect, it } from 'vitest'
import { parseArguments } from '../../src/cli/arguments'
import { branches } from '../../src/cli/commands/branches'
import { duplicates } from '../../src/cli/commands/duplicates'
import { helpText } from '../../src/cli/commands/help'
import { list } from '../../src/cli/commands/list'
import { search } from '../../src/cli/commands/search'
import { show } from '../../src/cli/commands/show'
import { stats } from '../../src/cli/commands/stats'
import { tail } from '../../src/cli/commands/tail'

const commands = [list, search, show, tail, branches, stats, duplicates]
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
