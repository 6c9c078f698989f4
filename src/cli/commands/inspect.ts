import { AppError } from '../../shared/model/basics/errors'
import type { ConfigView } from '../../shared/model/settings/settings'
import { UsageError } from '../command/arguments'
import type { Command } from '../command/command'
import { withHome, writableRoot } from '../homes/open-home'
import { jsonOutput, terminalText } from '../terminal/output'

/** Texts of a context that are printed by name. */
const texts = ['system_prompt', 'reflection', 'todos', 'goals', 'summary'] as const
type TextName = (typeof texts)[number]

/** Command `skein inspect`. */
export const inspectCommand: Command = {
  name: 'inspect',
  synopsis: 'NAME [WHAT]',
  summary: "prints a context's prompt, notes and settings, or one of them by its name",
  flags: [],
  options: [
    ['WHAT', `${texts.join(', ')}, home, or a key of config.toml such as model or api.temperature`],
  ],
  replaces: 'chibi -n WHAT, -N NAME WHAT',
  async run(context) {
    const { args, output } = context
    const [name, what, ...more] = args.operands
    if (name === undefined || more.length > 0)
      throw new UsageError('"skein inspect" needs one NAME; "skein contexts" lists them.')
    const root = writableRoot(context, '"skein inspect" needs a home: --home, not --root.')
    const facts = await withHome(context, root, async ({ home, settings }) => {
      if ((await home.contexts.find(name)) === undefined)
        throw new AppError('not-found', `There is no context "${name}".`)
      const { systemPrompt, ...notes } = await home.contexts.readNotes(name)
      const texts = { system_prompt: systemPrompt, ...notes }
      return factsOf(home.path, texts, await settings.config(name))
    })
    if (what === undefined) {
      if (args.json) await output.write(jsonOutput({ context: name, ...Object.fromEntries(facts) }))
      else await output.write(terminalText(listOf(facts)))
      return 0
    }
    const fact = facts.get(what)
    if (fact === undefined)
      throw new UsageError(`There is no "${what}". There are ${[...facts.keys()].join(', ')}.`)
    if (args.json) await output.write(jsonOutput({ context: name, [what]: fact }))
    else if (fact.value !== null)
      await output.write(terminalText(fact.value.endsWith('\n') ? fact.value : `${fact.value}\n`))
    return 0
  },
}

/** Value of a text or a key; null where nothing is set. */
interface Fact {
  readonly value: string | null
  /** Place that says so: `config.toml:12`, `default`; absent of a text. */
  readonly where?: string
}

/** Gathers them by name; never the key of a provider, which is no value of a view. */
function factsOf(
  home: string,
  notes: { readonly [Name in TextName]?: string | undefined },
  { values }: ConfigView,
): ReadonlyMap<string, Fact> {
  return new Map<string, Fact>([
    ['home', { value: home }],
    ...texts.map((text) => [text, { value: notes[text] ?? null }] as const),
    ...values.map(
      ({ key, used }) =>
        [
          key,
          used === undefined ? { value: null } : { value: used.value, where: used.where },
        ] as const,
    ),
  ])
}

/** Lists them, a line each; of a longer text its size. */
function listOf(facts: ReadonlyMap<string, Fact>): string {
  const width = Math.max(...[...facts.keys()].map((name) => name.length))
  return [...facts]
    .map(([name, { value, where }]) => {
      const place = where === undefined ? '' : `  (${where})`
      return `${name.padEnd(width)}  ${value === null ? '-' : inOneLine(value)}${place}\n`
    })
    .join('')
}

const longestLine = 60

function inOneLine(value: string): string {
  const [first = '', ...more] = value.trimEnd().split('\n')
  if (more.length === 0 && first.length <= longestLine) return first
  return `${first.slice(0, longestLine).trimEnd()}… (${value.length} characters)`
}
