import type { OneRun } from '../../main/home/home'
import type { Endpoint, RunOptions } from '../../main/settings/endpoint/endpoint'
import type { Settings } from '../../main/settings/settings'
import { AppError } from '../../shared/model/basics/errors'
import type { RunEvent } from '../../shared/model/run/run'
import { isKeyFault } from '../../shared/model/settings/settings'
import { UsageError } from '../command/arguments'
import type { AskRequest } from './ask-input'

/** Gives what a run asks for above all files. @param practiceUrl asks the practice model there */
export function runOptions(request: AskRequest, practiceUrl: string | undefined): RunOptions {
  const { values, model, username, baseUrl } = request
  return {
    values,
    username,
    ...(practiceUrl === undefined
      ? { model, baseUrl }
      : { baseUrl: practiceUrl, model: 'practice' }),
  }
}

/**
 * Says what of the configuration is not understood, and looks whether a run can be asked for.
 *
 * @throws UsageError for a value that is none; AppError where nothing can be asked
 */
export async function checkAsk(
  context: string,
  options: RunOptions,
  settings: Settings,
  note: (words: string) => void,
): Promise<Endpoint> {
  for (const words of await faultsOf(settings, context)) note(words)
  const endpoint = await readyEndpoint(settings, context, options)
  await settings.runSettings(context, options).catch(mistaken)
  return endpoint
}

async function readyEndpoint(
  settings: Settings,
  context: string,
  options: RunOptions,
): Promise<Endpoint> {
  const endpoint = await settings.endpoint(context, options)
  if (endpoint.notReady !== undefined)
    throw new AppError(endpoint.notReady.code, endpoint.notReady.message)
  return endpoint
}

/**
 * Makes the run of a home that a request asks for.
 *
 * @param note gets a sentence for tools that the request names and that do not exist
 */
export function oneRunOf(
  request: AskRequest,
  prompt: string,
  more: Pick<OneRun, 'run' | 'consent' | 'logsRequests'>,
  note: (words: string) => void,
): OneRun {
  const { context, images, files, systemPrompt } = request
  return {
    ...more,
    context,
    text: prompt,
    images,
    files,
    systemPrompt,
    known(tools) {
      for (const words of unknownTools(request, tools)) note(words)
    },
  }
}

/** Returns whether an event says that the message of its run is in the transcript. */
export function isStoredMessage(event: RunEvent): boolean {
  if (event.type !== 'appended' || event.row.type !== 'entry') return false
  const { role, entry_type: type } = event.row.entry
  return role === 'user' && type === 'message'
}

/** A value that a person gave is theirs to mend. */
function mistaken(error: unknown): never {
  if (error instanceof AppError && error.code === 'bad-argument')
    throw new UsageError(error.message)
  throw error
}

/** A line for each value of the configuration that is not understood, but keys of the window: its place, and what is wrong. */
async function faultsOf(settings: Settings, context: string): Promise<readonly string[]> {
  const { faults } = await settings.view(context)
  const words = faults
    .filter((fault) => !isKeyFault(fault))
    .map(({ file, line, message }) => {
      const place = line === undefined ? file : `${file}:${line}`
      return `skein: ${place}: ${message.replace(/\s+/g, ' ')}`
    })
  return [...new Set(words)]
}

/** A line for each name in the request that no tool has. */
function unknownTools(
  { allow, values }: AskRequest,
  known: ReadonlySet<string>,
): readonly string[] {
  const named: readonly (readonly [key: string, names: unknown])[] = [
    ['allow', allow],
    ['tools.include', values['tools.include']],
    ['tools.exclude', values['tools.exclude']],
  ]
  return named.flatMap(([key, names]) =>
    [...new Set(Array.isArray(names) ? names.map(String) : [])]
      .filter((name) => !known.has(name))
      .map((name) => `${key}: there is no tool "${name}".`),
  )
}
