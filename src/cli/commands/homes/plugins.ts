import { pluginQuestion } from '../../../main/permission/plugin-question'
import { pluginEnvironment } from '../../../main/plugins/environment'
import type { Plugins } from '../../../main/plugins/plugins'
import { AppError } from '../../../shared/model/basics/errors'
import { countWithNoun } from '../../../shared/model/basics/plural'
import type { PluginLook, PluginView } from '../../../shared/model/settings/plugins'
import { textFlag, UsageError } from '../../command/arguments'
import { type Command, type CommandContext, verboseOption } from '../../command/command'
import { pluginsAt } from '../../homes/home-plugins'
import { jsonOutput, terminalText } from '../../terminal/output'
import { terminalPermissions } from '../../terminal/permissions'
import { terminalPerson } from '../../terminal/person'

const acts = ['look', 'trust', 'distrust'] as const

/** Command `skein plugins`. */
export const pluginsCommand: Command = {
  name: 'plugins',
  synopsis: '[look NAME | trust NAME [--digest SHA256] | distrust NAME]',
  summary: "lists a home's plugins, shows one, trusts it, or removes the trust",
  flags: ['digest', 'verbose'],
  options: [
    ['look NAME', 'its digest, files, variables and text; does not run it'],
    ['trust NAME', 'shows the same and asks; only exactly that content runs'],
    ['--digest SHA256', 'with trust: the whole digest of what you looked at, in place of asking'],
    ['distrust NAME', 'removes the trust'],
    verboseOption,
  ],
  async run(context) {
    const { args, disk, environment, output } = context
    const root = args.roots.find((one) => one.writable)
    if (root === undefined)
      throw new UsageError('"skein plugins" needs a home: --home, not --root.')
    const [word, name, ...more] = args.operands
    const act = acts.find((one) => one === word)
    if (word !== undefined && (act === undefined || name === undefined || more.length > 0))
      throw new UsageError(`"skein plugins" takes ${acts.map((one) => `${one} NAME`).join(', ')}.`)
    if (args.flags.digest !== undefined && act !== 'trust')
      throw new UsageError('--digest belongs to "skein plugins trust".')
    const verbose = args.flags.verbose === true
    const found = pluginsAt(root.path, disk, environment, output.say, verbose)
    try {
      if (act === undefined || name === undefined) await list(context, found)
      else if (act === 'look') await look(context, root.path, await found.look(name))
      else if (act === 'trust') await trust(context, root.path, found, name)
      else {
        await found.distrust(name)
        output.say(`"${name}" is no longer trusted.`)
      }
      return 0
    } finally {
      await found.close()
    }
  },
}

async function list({ args, output, signal }: CommandContext, found: Plugins): Promise<void> {
  // Those that are trusted are asked what they offer before the list is read.
  await found.tools(signal)
  const { plugins: all, problem } = await found.list()
  if (problem !== null) output.say(problem)
  if (args.json) return output.write(jsonOutput({ plugins: all.map(asJson) }))
  for (const one of all) await output.write(terminalText(line(one)))
}

function asJson({ name, state, content, problem, offer }: PluginView): object {
  return {
    name,
    state,
    digest: content?.hash ?? null,
    tools: offer?.tools.map((tool) => tool.name) ?? [],
    hooks: offer?.hooks ?? [],
    problem,
  }
}

function line({ name, state, content, problem, offer }: PluginView): string {
  const offered = [...(offer?.tools.map((tool) => tool.name) ?? []), ...(offer?.hooks ?? [])]
  const words = [
    name,
    state,
    ...(content === null ? [] : [content.hash]),
    ...(offered.length === 0 ? [] : [offered.join(', ')]),
    ...(problem === null ? [] : [problem]),
  ]
  return `${words.join('  ')}\n`
}

/** Prints what would be trusted. */
async function look(
  { args, environment, output }: CommandContext,
  home: string,
  one: PluginLook,
): Promise<void> {
  const variables = ['PATH', ...Object.keys(pluginEnvironment(environment, home))].sort()
  if (args.json) return output.write(jsonOutput({ ...one, variables }))
  await output.write(terminalText(lookText(one, variables)))
}

function lookText(one: PluginLook, variables: readonly string[]): string {
  const { name, shown, program, hash, sizeBytes, files, fileCount, text, isWhole } = one
  const left = fileCount - files.length
  return [
    `name       ${name}`,
    `place      ${shown}`,
    `program    ${program}`,
    `SHA-256    ${hash}`,
    `size       ${sizeBytes} bytes in ${countWithNoun(fileCount, 'file')}`,
    ...files.map((file) => `file       ${file.path}  ${file.sizeBytes} bytes`),
    ...(left > 0 ? [`           and ${left} more`] : []),
    `variables  ${variables.join(' ')}`,
    text === null ? 'Not text.' : `\n${text.trimEnd()}`,
    ...(text !== null && !isWhole ? ['… (only the beginning is shown)'] : []),
    '',
  ].join('\n')
}

async function trust(
  context: CommandContext,
  home: string,
  found: Plugins,
  name: string,
): Promise<void> {
  const { args, output } = context
  const digest = textFlag(args, 'digest')?.trim().toLowerCase()
  if (digest !== undefined && !/^[0-9a-f]{64}$/.test(digest))
    throw new UsageError('--digest needs the whole SHA-256: 64 hexadecimal digits.')
  const one = await found.look(name)
  if (digest === undefined) {
    await look(context, home, one)
    const { plugins: all } = await found.list()
    const hasChanged = all.find((other) => other.name === name)?.state === 'changed'
    await terminalPermissions(
      terminalPerson(),
      'Check it with "skein plugins look", then give its digest: --digest SHA256.',
    ).require(pluginQuestion(one, hasChanged), `"${name}" was not trusted.`)
  } else if (digest !== one.hash)
    throw new AppError(
      'bad-argument',
      `"${name}" has a different digest: ${one.hash}. It was not trusted.`,
    )
  await found.trust(name, one.hash)
  output.say(`"${name}" is trusted with its current content.`)
}
