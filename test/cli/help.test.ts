import { expect, it } from 'vitest'
import { parseArguments } from '../../src/cli/command/arguments'
import { askCommand } from '../../src/cli/commands/ask'
import { branchesCommand } from '../../src/cli/commands/branches'
import { compactCommand } from '../../src/cli/commands/compact'
import { compareCommand } from '../../src/cli/commands/compare'
import { contextsCommand } from '../../src/cli/commands/contexts'
import { duplicatesCommand } from '../../src/cli/commands/duplicates'
import { exportCommand } from '../../src/cli/commands/export'
import { helpText } from '../../src/cli/commands/help'
import { doctorCommand } from '../../src/cli/commands/homes/doctor'
import { pluginsCommand } from '../../src/cli/commands/homes/plugins'
import { promptsCommand } from '../../src/cli/commands/homes/prompts'
import { inspectCommand } from '../../src/cli/commands/inspect'
import { labelCommand } from '../../src/cli/commands/label'
import { listCommand } from '../../src/cli/commands/list'
import { readCommand } from '../../src/cli/commands/read'
import { searchCommand } from '../../src/cli/commands/search'
import { showCommand } from '../../src/cli/commands/show'
import { sourcesCommand } from '../../src/cli/commands/sources'
import { backupCommand } from '../../src/cli/commands/sources/backup'
import { importCommand } from '../../src/cli/commands/sources/import'
import { resumeCommand } from '../../src/cli/commands/sources/resume'
import { statsCommand } from '../../src/cli/commands/stats'
import { tailCommand } from '../../src/cli/commands/tail'
import { toolCommand } from '../../src/cli/commands/tool'
import { verifyCommand } from '../../src/cli/commands/verify'

const commands = [
  ...[
    sourcesCommand,
    listCommand,
    searchCommand,
    showCommand,
    tailCommand,
    branchesCommand,
    compareCommand,
    statsCommand,
    duplicatesCommand,
    readCommand,
    exportCommand,
    resumeCommand,
    importCommand,
    backupCommand,
    labelCommand,
  ],
  ...[
    askCommand,
    compactCommand,
    contextsCommand,
    inspectCommand,
    toolCommand,
    pluginsCommand,
    promptsCommand,
    verifyCommand,
    doctorCommand,
  ],
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
