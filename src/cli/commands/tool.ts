import type { Tool } from '../../main/tools/base/tool'
import { AppError } from '../../shared/model/basics/errors'
import { allowedTools } from '../ask/ask-input'
import { textFlag, UsageError } from '../command/arguments'
import { type Command, type CommandContext, verboseOption } from '../command/command'
import { withHome, withVisit, writableRoot } from '../homes/open-home'
import { jsonOutput, terminalText } from '../terminal/output'
import { askPersonFor, terminalPerson } from '../terminal/person'
import { oneLine } from '../terminal/shown-name'

/** Command `skein tool`. */
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
    const { args } = context
    const root = writableRoot(context, '"skein tool" needs a home: --home, not --root.')
    const name = textFlag(args, 'context')
    if (name === undefined) throw new UsageError('"skein tool" needs --context NAME.')
    const [wanted, given, ...more] = args.operands
    if (more.length > 0)
      throw new UsageError('"skein tool" takes one TOOL, and its ARGUMENTS as one JSON object.')
    // Before plugins hear of a context that is not there.
    if ((await withHome(context, root, ({ home }) => home.contexts.find(name))) === undefined)
      throw new AppError('not-found', `There is no context "${name}".`)
    const text = wanted === undefined ? '' : (given ?? (await context.readInput()) ?? '')
    return withVisit(context, root, { context: name }, async ({ home }) => {
      if (wanted === undefined) return list(context, await home.tools.list(name, context.signal))
      const consent = askPersonFor(allowedTools(args), terminalPerson(), context.output.say)
      const call = { tool: wanted, args: text.trim() === '' ? '{}' : text }
      return print(context, wanted, await home.tools.call(name, call, consent, context.signal))
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
      await output.write(terminalText(`${name}  ${oneLine(description)}\n`))
  return 0
}

async function print(
  { args, output }: CommandContext,
  tool: string,
  { text, failed }: { readonly text: string; readonly failed: boolean },
): Promise<number> {
  if (args.json) await output.write(jsonOutput({ tool, failed, text }))
  else if (failed) output.say(text)
  else await output.write(terminalText(text.endsWith('\n') ? text : `${text}\n`))
  return failed ? 1 : 0
}
