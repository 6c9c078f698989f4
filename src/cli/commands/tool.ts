import { randomUUID } from 'node:crypto'
import { systemClock } from '../../main/llm/timing/clock'
import {
  callTool,
  notifyToolResult,
  offeredTools,
  usualToolLimits,
} from '../../main/llm/tool-calls'
import { defaultCacheFolder, skeinFolder } from '../../main/settings/user-folders'
import type { Tool } from '../../main/tools/base/tool'
import { AppError } from '../../shared/model/basics/errors'
import { allowedTools } from '../ask/ask-input'
import { textFlag, UsageError } from '../command/arguments'
import { type Command, type CommandContext, verboseOption } from '../command/command'
import { settingsAt, storeAt } from '../homes/named-homes'
import { type Visit, withVisit } from '../homes/visit'
import { jsonOutput, terminalText } from '../terminal/output'
import { askPersonFor, terminalPerson } from '../terminal/person'

export const toolCommand: Command = {
  name: 'tool',
  synopsis: '--context NAME [TOOL [ARGUMENTS | < stdin]]',
  summary: 'lists the tools of a context, or runs one as a model would, without a model',
  flags: ['context', 'allow', 'verbose'],
  options: [
    ['--context NAME', 'the context whose tools they are; it must exist'],
    ['ARGUMENTS', 'a JSON object, as an operand or on standard input; optional'],
    ['--allow TOOL', 'lets a tool that writes run without asking'],
    verboseOption,
  ],
  replaces: 'chibi -p PLUGIN, -P TOOL JSON',
  async run(context) {
    const { args, disk, environment, output } = context
    const root = args.roots.find((one) => one.writable)
    if (root === undefined) throw new UsageError('"skein tool" needs a home: --home, not --root.')
    const name = textFlag(args, 'context')
    if (name === undefined) throw new UsageError('"skein tool" needs --context NAME.')
    const [wanted, given, ...more] = args.operands
    if (more.length > 0)
      throw new UsageError('"skein tool" takes one TOOL, and its ARGUMENTS as one JSON object.')
    const store = storeAt(root, disk)
    if ((await store.findContext(name)) === undefined)
      throw new AppError('not-found', `There is no context "${name}".`)
    const text = wanted === undefined ? '' : (given ?? (await context.readInput()) ?? '')
    const settings = settingsAt(root, disk, environment)
    return withVisit(context, { store, settings, context: name }, async (visit) => {
      const tools = offeredTools(
        {
          disk,
          home: store.home,
          context: name,
          hooks: visit.plugins.hooks,
          ownFolders: [skeinFolder(environment), defaultCacheFolder(environment)],
          note: output.say,
        },
        await settings.runSettings(name),
        await visit.plugins.tools(context.signal),
        // What hands on the word belongs to a run.
      ).filter(({ effect }) => effect !== 'flow')
      if (wanted === undefined) return list(context, tools)
      const found = tools.find((one) => one.name === wanted)
      if (found === undefined)
        throw new AppError(
          'not-found',
          `There is no tool "${wanted}". There are: ${tools.map((one) => one.name).join(', ')}.`,
        )
      // As a run does: nobody else writes to the context meanwhile.
      const writer = await store.openWriter(name, { create: false, signal: context.signal })
      try {
        return await runOne(context, visit, found, text.trim() === '' ? '{}' : text)
      } finally {
        await writer.close()
      }
    })
  },
}

async function list({ args, output }: CommandContext, tools: readonly Tool[]): Promise<number> {
  if (args.json)
    await output.write(
      jsonOutput({
        tools: tools.map(({ name, description, parameters }) => ({
          name,
          description,
          parameters,
        })),
      }),
    )
  else
    for (const { name, description } of tools)
      await output.write(terminalText(`${name}  ${description.replace(/\s+/g, ' ')}\n`))
  return 0
}

async function runOne(
  { args, output, signal }: CommandContext,
  { plugins }: Visit,
  one: Tool,
  given: string,
): Promise<number> {
  const call = { id: randomUUID(), name: one.name, arguments: given, streak: 1 }
  const deps = {
    tools: [one],
    consent: askPersonFor(allowedTools(args), terminalPerson(), output.say),
    clock: systemClock,
    limits: usualToolLimits,
    toolHooks: plugins.hooks,
  }
  const result = await callTool(call, deps, () => {}, signal)
  await notifyToolResult(call, result, deps, signal)
  if (signal.aborted) throw new AppError('cancelled', 'Stopped.')
  const failed = result.failed === true
  if (args.json) await output.write(jsonOutput({ tool: one.name, failed, text: result.text }))
  else if (failed) output.say(result.text)
  else
    await output.write(terminalText(result.text.endsWith('\n') ? result.text : `${result.text}\n`))
  return failed ? 1 : 0
}
