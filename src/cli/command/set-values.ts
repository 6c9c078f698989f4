import { readSetValue } from '../../main/settings/editing/set-value'
import type { RunOptions } from '../../main/settings/endpoint/endpoint'
import { AppError } from '../../shared/model/basics/errors'
import { type Arguments, UsageError } from './arguments'

/** Keys that choose what is asked, and as whom; they are options of a run of their own. */
const ofEndpoint = { model: 'model', username: 'username', base_url: 'baseUrl' } as const

/**
 * Reads what `--set KEY=VALUE` sets for one run above all files; it may be given several times, and the last of a key counts.
 *
 * @throws UsageError which names the key
 */
export function setValues(args: Arguments): RunOptions {
  const given: unknown = args.flags.set
  const pairs = (Array.isArray(given) ? given : given === undefined ? [] : [given]).map(String)
  const values: Record<string, unknown> = {}
  const options: Record<string, string> = {}
  for (const pair of pairs) {
    const [key, text] = keyAndText(pair)
    const value = checked(key, text)
    if (isOfEndpoint(key)) options[ofEndpoint[key]] = String(value)
    else values[key] = value
  }
  return { ...options, values }
}

function keyAndText(pair: string): readonly [key: string, text: string] {
  const equals = pair.indexOf('=')
  if (equals < 1) throw new UsageError(`--set needs KEY=VALUE, not "${pair}".`)
  return [pair.slice(0, equals).trim(), pair.slice(equals + 1)]
}

function checked(key: string, text: string): unknown {
  // A command line is seen by everybody on the machine.
  if (key === 'api_key')
    throw new UsageError('--set does not take api_key: set CHIBI_API_KEY in the environment.')
  try {
    return readSetValue(key, text)
  } catch (error) {
    if (error instanceof AppError) throw new UsageError(`--set: ${error.message}`)
    throw error
  }
}

function isOfEndpoint(key: string): key is keyof typeof ofEndpoint {
  return Object.hasOwn(ofEndpoint, key)
}
