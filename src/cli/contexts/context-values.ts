import type { Home } from '../../main/home/home'
import type { Settings, SettingsApproval } from '../../main/settings/settings'
import { UsageError } from '../command/arguments'
import type { CommandContext } from '../command/command'

/**
 * Gives a context a system prompt of its own; an empty one takes it away, and the home's holds again.
 *
 * @param text standard input where it is undefined
 * @throws UsageError where there is none; AppError
 */
export async function setPrompt(
  { output, readInput }: Pick<CommandContext, 'output' | 'readInput'>,
  contexts: Pick<Home['contexts'], 'readText' | 'writeText'>,
  name: string,
  text: string | undefined,
): Promise<void> {
  const given = text ?? (await readInput())
  if (given === undefined)
    throw new UsageError('There is no prompt: give it after the name or on standard input.')
  const before = await contexts.readText(name, 'system_prompt.md')
  await contexts.writeText(name, 'system_prompt.md', given === '' ? null : given, before)
  output.say(
    given === ''
      ? `"${name}" has no system prompt of its own.`
      : `"${name}" has a system prompt of its own.`,
  )
}

/**
 * Sets a key of a context's local.toml; an empty text takes it out. What would open a folder to models, or send words to a
 * new address, is allowed by a person first.
 *
 * @throws AppError
 */
export async function setConfigValue(
  { output }: Pick<CommandContext, 'output'>,
  settings: Settings,
  allow: SettingsApproval,
  [name, key, text]: readonly [name: string, key: string, text: string],
): Promise<void> {
  const { values } = await settings.config(name)
  const was = values.find((one) => one.key === key)?.inLocal?.value ?? null
  const value = text === '' ? null : text
  await settings.setValue({ key, value, file: 'local.toml', was }, name, allow)
  output.say(
    value === null ? `"${name}" has no ${key} of its own.` : `"${name}" has its own ${key} now.`,
  )
}
