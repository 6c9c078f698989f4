import type { HomeEvents } from '../../main/home/home'
import type { CompactionResult, CompactionStep, ManualCompaction } from '../../main/llm/compaction'
import { practiceOnDemand } from '../../main/practice/launch'
import type { RunOptions } from '../../main/settings/endpoint/endpoint'
import { AppError } from '../../shared/model/basics/errors'
import { textFlag, UsageError, wordFlag } from '../command/arguments'
import { type Command, type CommandContext, verboseOption } from '../command/command'
import { withVisit, writableRoot } from '../homes/open-home'
import { jsonOutput, terminalText } from '../terminal/output'

/** Command `skein compact`. */
export const compactCommand: Command = {
  name: 'compact',
  synopsis: 'NAME [--mode full|rolling|drop] [--model M]',
  summary: "summarizes a context's earlier messages to make room; the transcript stays",
  flags: ['mode', 'model', 'practice', 'verbose'],
  options: [
    ['--mode full', 'the model summarizes all messages (default)'],
    [
      '--mode rolling',
      'the model chooses messages to add to the summary; the rest is sent as before',
    ],
    ['--mode drop', 'earlier messages are no longer sent; no model is asked'],
    ['--model M', 'the model to ask, in place of the configured one'],
    ['--practice', 'uses the practice model: no AI, nothing leaves this computer'],
    verboseOption,
  ],
  replaces: 'chibi -z, -Z NAME (--mode drop)',
  async run(context) {
    const { args, output, practiceWorker } = context
    const [name, ...more] = args.operands
    if (name === undefined || more.length > 0)
      throw new UsageError('"skein compact" needs one NAME; "skein contexts" lists them.')
    const mode = wordFlag(args, 'mode', ['full', 'rolling', 'drop']) ?? 'full'
    const practice = args.flags.practice === true ? practiceOnDemand(practiceWorker) : undefined
    try {
      const model = textFlag(args, 'model')
      const url = await practice?.url()
      const run: RunOptions = url === undefined ? { model } : { baseUrl: url, model: 'practice' }
      const end = await compacted(context, { context: name, mode, run })
      if (args.json) await output.write(jsonOutput(asJson(name, end)))
      else output.say(inWords(name, end))
      // As any other command that was interrupted.
      if (end.type === 'stopped') throw new AppError('cancelled', 'Stopped.')
      return end.type === 'failed' ? 1 : 0
    } finally {
      await practice?.close()
    }
  },
}

function compacted(context: CommandContext, wish: ManualCompaction): Promise<CompactionResult> {
  const { output, signal } = context
  const needed = '"skein compact" writes, so it needs a home: --home, not --root.'
  const events: Partial<HomeEvents> = {
    compactionChanged({ phase }) {
      if (phase !== 'ended') output.say(stepWords[phase])
    },
  }
  return withVisit(
    context,
    writableRoot(context, needed),
    { context: wish.context, events },
    ({ home }) => home.compactions.compact(wish, signal),
  )
}

const stepWords: Readonly<Record<CompactionStep['phase'], string>> = {
  choosing: 'The model chooses messages.',
  summarizing: 'The model writes a summary.',
}

function inWords(name: string, end: CompactionResult): string {
  switch (end.type) {
    case 'compacted': {
      const { archived, kept, tokensBefore, tokensAfter, notes } = end
      return terminalText(
        [
          `"${name}" is compacted: ${archived} messages are no longer sent, ${kept} still are; about ${tokensBefore} tokens became ${tokensAfter}. The transcript has all of them.`,
          ...notes,
        ].join(' '),
      )
    }
    case 'nothing':
      return `There is too little to summarize in "${name}": ${end.messages} messages.`
    case 'failed':
      return terminalText(`"${name}" did not change. ${end.words}`)
    case 'stopped':
      return `"${name}" did not change.`
  }
}

function asJson(context: string, end: CompactionResult): object {
  if (end.type !== 'compacted') {
    const { type: outcome, ...more } = end
    return { context, outcome, ...more }
  }
  const { archived, kept, tokensBefore, tokensAfter, notes, anchor, summary } = end
  return {
    context,
    outcome: 'compacted',
    entry: anchor.id,
    archived,
    kept,
    tokensBefore,
    tokensAfter,
    summary: summary ?? null,
    notes,
  }
}
