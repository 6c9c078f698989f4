import type { RunEvent } from '../../../shared/model/run/run'
import { anySignal } from '../../async/any-signal'
import { noHooks } from '../../tools/hooks/hooks'
import { appendedEvent, promptChangedEntry, seconds } from '../steps/run-entries'
import { runHooks } from '../steps/run-hooks'
import { closeUnfinishedCalls } from '../steps/tool-entries'
import { writeUserMessage } from '../steps/user-message'
import { usualToolLimits } from './call-tool'
import type { RunDeps, RunInput } from './run-input'
import { runTurns } from './run-turns'

export type { RunDeps, RunInput } from './run-input'

/**
 * Writes the user message, asks the model, yields its answer as it comes and writes it; while the answer has calls,
 * makes them and asks again with their results.
 *
 * Entries are durable before their event: the message before the request begins, calls before their tools run, the
 * answer before `ended`. However the run ends, the text that came becomes an entry (marked `interrupted` unless it
 * is whole), every stored call has a result, and a failure becomes a `run_error` entry after them. A stop before any
 * text leaves the message alone. Where an entry cannot be written (full disk, lost lock), the partial file stays,
 * and only `ended` has the failure. Calls that a killed run left without a result get one before the message.
 *
 * Take every event; stop by the signal. Leaving the loop early ends request and tools and leaves the partial file.
 *
 * @throws AppError when the user message could not be written: then there was no event and no request
 */
export async function* run(
  input: RunInput,
  deps: RunDeps,
  signal: AbortSignal,
): AsyncGenerator<RunEvent, void, void> {
  const { writer, hooks = noHooks } = deps
  const turnDeps = {
    ...deps,
    hooks: runHooks(hooks, writer.context),
    toolHooks: hooks,
    tools: deps.tools ?? [],
    limits: { ...usualToolLimits, ...deps.toolLimits },
  }
  const message = yield* open(input, deps, turnDeps, signal)
  const halt = anySignal([signal, writer.lost])
  try {
    yield* runTurns(input, turnDeps, message, halt.signal)
  } finally {
    halt.release()
  }
}

/**
 * Writes everything before it yields the first event: a caller that has one knows that the message is durable.
 *
 * @returns the user message as hooks left it; '' where there is none
 */
async function* open(
  input: RunInput,
  deps: RunDeps,
  sayDeps: Parameters<typeof writeUserMessage>[1],
  signal: AbortSignal,
): AsyncGenerator<RunEvent, string, void> {
  const { writer, newId, clock } = deps
  const facts = () => ({ id: newId(), context: writer.context, timestamp: seconds(clock) })
  const rows: RunEvent[] = []
  if (deps.tools !== undefined)
    rows.push(...(await closeUnfinishedCalls(writer, facts)).map(appendedEvent))
  if ('build' in input.prompt) {
    const changed = await input.prompt.changed()
    if (changed !== undefined)
      rows.push(appendedEvent(await writer.append(promptChangedEntry(changed, facts()))))
    await input.prompt.recorded()
  }
  let message = input.writtenText ?? ''
  if (input.text !== undefined) {
    const { row, prompt } = await writeUserMessage(
      {
        text: input.text,
        from: input.username,
        entryId: input.entryId,
        images: input.images,
        files: input.files,
      },
      sayDeps,
      signal,
    )
    message = prompt
    rows.push(appendedEvent(row))
  }
  yield* rows
  return message
}
