import type { Disk } from '../../main/disk/interface/disk'
import { openHomeTexts } from '../../main/settings/texts/home-texts'
import {
  describePrompt,
  distinctFields,
  fillFields,
  promptFile,
  promptMessage,
} from '../../shared/model/settings/saved-prompts'
import { type Arguments, textFlag, UsageError } from '../command/arguments'

/**
 * Reads the saved prompt that `--prompt` names, with the values of `--field`, and with the words of the command line behind it.
 * Undefined where none is named.
 *
 * @throws UsageError for a prompt or field that is not there, a field without a value, and a prompt without text; AppError where it cannot be read
 */
export async function savedPrompt(
  args: Arguments,
  disk: Disk,
  home: () => string,
): Promise<string | undefined> {
  const name = textFlag(args, 'prompt')
  const values = fieldValues(args)
  if (name === undefined) {
    if (values.size > 0) throw new UsageError('--field belongs to --prompt.')
    return undefined
  }
  const file = promptFile(name.replace(/^\//, ''))
  const found = file === undefined ? null : await openHomeTexts(disk, home()).read(file)
  if (found === null)
    throw new UsageError(`There is no prompt "${name}"; "skein prompts" lists them.`)
  const text = promptMessage(found)
  const { fault } = describePrompt(name, text)
  if (fault !== undefined) throw new UsageError(`The prompt "${name}" cannot be sent: ${fault}`)
  const fields = distinctFields(text)
  for (const key of values.keys())
    if (!fields.some((field) => field.name === key))
      throw new UsageError(`The prompt "${name}" has no field "${key}".`)
  const missing = fields.filter((field) => field.default === undefined && !values.has(field.name))
  if (missing.length > 0)
    throw new UsageError(
      `The prompt "${name}" asks for ${missing.map((field) => `--field "${field.name}=…"`).join(', ')}.`,
    )
  const filled = fillFields(text, values)
  if (filled.trim() === '')
    throw new UsageError(`The prompt "${name}" has no text with these fields, and is not sent.`)
  const more = args.operands.join(' ')
  return `${filled}${more === '' ? '' : `\n\n${more}`}`
}

/** Reads `--field NAME=VALUE`, which may be given several times. @throws UsageError */
function fieldValues(args: Arguments): ReadonlyMap<string, string> {
  const given: unknown = args.flags.field
  const all = Array.isArray(given) ? given.map(String) : []
  return new Map(
    all.map((one) => {
      const at = one.indexOf('=')
      if (at < 1) throw new UsageError(`--field is NAME=VALUE, not "${one}".`)
      return [one.slice(0, at).trim(), one.slice(at + 1)]
    }),
  )
}
