import { totalTokens } from '../../main/llm/tokens'
import type { SourceRef } from '../../main/readers/common/reader'
import { countWithNoun } from '../../shared/model/basics/plural'
import { EntryId } from '../../shared/model/conversation/entry'
import type { Sent, SentMessage } from '../../shared/model/run/sent'
import { UsageError } from '../command/arguments'
import type { CommandContext } from '../command/command'
import { pluginsAt } from '../homes/home-plugins'
import { withHome } from '../homes/open-home'
import { localSecond } from '../terminal/local-time'
import { jsonOutput, terminalText } from '../terminal/output'
import { oneLine } from '../terminal/shown-name'

/** Prints what a model was sent before it gave an answer. @throws UsageError, AppError */
export async function printSent(
  context: CommandContext,
  ref: SourceRef,
  id: string,
): Promise<number> {
  const { args, disk, output, environment, signal } = context
  if (ref.source !== 'chibi')
    throw new UsageError(`--sent is for chibi's contexts; this is a conversation of ${ref.source}.`)
  const { root: home, key } = ref
  for (const [flag, value] of Object.entries(args.flags))
    if (flag !== 'sent' && value !== undefined)
      throw new UsageError(`--sent and --${flag} exclude each other.`)
  const root = { source: 'chibi' as const, path: home, writable: false }
  const plugins = pluginsAt(home, disk, environment, output.say)
  try {
    const sent = await withHome(
      context,
      root,
      (opened) => opened.home.sent.of(key, EntryId.parse(id), signal),
      { plugins },
    )
    await output.write(args.json ? jsonOutput(sent) : terminalText(sentText(sent)))
    return 0
  } finally {
    await plugins.close()
  }
}

function timeOf(atMs: number | null): string {
  return localSecond(atMs === null ? null : atMs / 1000) ?? 'not known'
}

function sentText(sent: Sent): string {
  const { messages, tools, parameters, parts, countedBy, told, notes } = sent
  const by = countedBy.by === 'estimate' ? 'estimated' : `by ${countedBy.name}`
  const facts = [
    ['From', origins[sent.origin]],
    ['Exact', matches[sent.match]],
    ['Model', sent.model ?? 'not known'],
    ['Sent', timeOf(sent.sentAtMs)],
    ['Answered', timeOf(sent.answeredAtMs)],
    [
      'Tokens',
      `${totalTokens(parts)} ${by}: ${Object.entries(parts)
        .map(([part, tokens]) => `${part} ${tokens}`)
        .join(', ')}${told?.input === undefined ? '' : `; the provider counted ${told.input}`}`,
    ],
    ...Object.entries(parameters).map(([name, value]) => [name, value]),
  ]
  const toolLines = tools.map(
    ({ name, description, tokens }) =>
      `  ${name} (${tokens})${description === '' ? '' : `: ${oneLine(description)}`}\n`,
  )
  return [
    ...facts.map(([name, value]) => `${name}: ${value}\n`),
    ...notes.map((note) => `Note: ${note}\n`),
    `\n${tools.length === 0 ? 'No tools.\n' : `Tools:\n${toolLines.join('')}`}\n`,
    ...messages.map(messageText),
  ].join('')
}

function messageText({ role, text, calls, callId, images, tokens }: SentMessage): string {
  const head = [
    `[${role.toUpperCase()}]`,
    ...(callId === undefined ? [] : [`of call ${callId}`]),
    ...(images === 0 ? [] : [countWithNoun(images, 'image')]),
    `${tokens} tokens`,
  ]
  const lines = [
    head.join(' · '),
    ...(text === '' ? [] : [text]),
    ...calls.map((call) => `${call.id} ${call.name}(${call.arguments})`),
  ]
  return `${lines.join('\n')}\n\n`
}

const origins: Readonly<Record<Sent['origin'], string>> = {
  log: 'requests.jsonl, as it went out',
  rebuilt: 'put together again from the transcript',
}

const matches: Readonly<Record<Sent['match'], string>> = {
  exact: 'yes, by the digest at the answer',
  different: 'no, something was otherwise',
  unknown: 'not known, the answer has no digest',
}
