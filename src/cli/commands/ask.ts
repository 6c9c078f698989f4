import { randomUUID } from 'node:crypto'
import { systemClock } from '../../main/llm/clock'
import { openAiStream } from '../../main/llm/openai'
import { run } from '../../main/llm/run'
import { practiceOnDemand } from '../../main/practice/launch'
import type { Endpoint } from '../../main/settings/model-choice'
import type { Store } from '../../main/store/store'
import { contextNameFault } from '../../shared/model/conversation'
import type { Entry } from '../../shared/model/entry'
import { EntryId } from '../../shared/model/entry'
import { AppError } from '../../shared/model/errors'
import type { RunEvent, RunFailure } from '../../shared/model/run'
import { UsageError } from '../arguments'
import type { Command, CommandContext } from '../command'
import { settingsAt, storeAt } from '../homes'
import { forTerminal, json } from '../output'

export const ask: Command = {
  name: 'ask',
  synopsis: '--context NAME [--model M] [--practice] [PROMPT | < stdin]',
  summary: 'writes a message and prints the answer; makes the context when it is not there',
  flags: ['context', 'model', 'practice'],
  async run(context) {
    const { args, disk, environment, practiceWorker } = context
    const name = contextName(args.flags.context)
    const root = args.roots.find((one) => one.writable)
    if (root === undefined)
      throw new UsageError('"skein ask" writes, so it needs a home: --home, not --root.')
    const text = args.operands.join(' ') || ((await context.readInput()) ?? '').trimEnd()
    if (text === '')
      throw new UsageError('There is no message: give it after the options or on standard input.')

    const practice = args.flags.practice === true ? practiceOnDemand(practiceWorker) : undefined
    try {
      const settings = settingsAt(root, disk, environment, practice?.url)
      const model = args.flags.model
      const endpoint = await settings.endpoint(name, {
        ...(typeof model === 'string' ? { model } : {}),
        ...(practice === undefined ? {} : { baseUrl: await practice.url(), model: 'practice' }),
      })
      if (endpoint.notReady !== undefined)
        throw new AppError(endpoint.notReady.code, endpoint.notReady.message)
      return await answer(context, storeAt(root, disk), name, text, endpoint)
    } finally {
      await practice?.close()
    }
  },
}

function contextName(flag: string | boolean | undefined): string {
  if (typeof flag !== 'string') throw new UsageError('"skein ask" needs --context NAME.')
  const fault = contextNameFault(flag)
  if (fault !== undefined) throw new UsageError(`--context "${flag}": ${fault}`)
  return flag
}

async function answer(
  { args, output, signal }: CommandContext,
  store: Store,
  name: string,
  text: string,
  endpoint: Endpoint,
): Promise<number> {
  const create = (await store.findContext(name)) === undefined
  const writer = await store.openWriter(name, { create, signal })
  const entries: Entry[] = []
  let ended: Extract<RunEvent, { type: 'ended' }> | undefined
  try {
    const notes = await store.readNotes(name)
    const events = run(
      {
        text,
        model: endpoint.model.value,
        username: endpoint.username.value,
        prompt: { system: notes.systemPrompt, summary: notes.summary },
      },
      {
        writer,
        provider: openAiStream({
          baseUrl: endpoint.baseUrl.value,
          apiKey: endpoint.apiKey?.value.reveal(),
        }),
        clock: systemClock,
        newId: () => EntryId.parse(randomUUID()),
      },
      signal,
    )
    for await (const event of events) {
      if (event.type === 'appended' && event.row.type === 'entry') entries.push(event.row.entry)
      else if (event.type === 'delta' && event.kind === 'content' && !args.json)
        await output.write(forTerminal(event.text))
      else if (event.type === 'retrying')
        output.say(`${event.failure.message} Trying again in ${Math.ceil(event.waitMs / 1000)} s.`)
      else if (event.type === 'ended') ended = event
    }
  } finally {
    await writer.close()
  }
  if (args.json) await output.write(json({ context: name, outcome: ended?.outcome, entries }))
  else if (entries.length > 1) await output.write('\n')
  return outcome(output.say, ended, entries)
}

function outcome(
  say: (text: string) => void,
  ended: Extract<RunEvent, { type: 'ended' }> | undefined,
  entries: readonly Entry[],
): number {
  if (ended?.outcome === 'complete') return 0
  const last = entries.at(-1)?.metadata as Partial<RunFailure> | undefined // a run_error's metadata is its failure
  const failure = ended?.failure ?? last
  if (ended?.outcome === 'stopped') say('Stopped. What came is kept.')
  else {
    say([failure?.message, failure?.advice].filter((part) => part !== undefined).join(' '))
    if (failure?.response !== undefined) say(forTerminal(failure.response))
  }
  return 1
}
