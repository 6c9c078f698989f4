import { openHomeTexts } from '../../../main/settings/texts/home-texts'
import { AppError } from '../../../shared/model/basics/errors'
import {
  describePrompt,
  type PromptField,
  promptFile,
  promptMessage,
  type SavedPrompt,
} from '../../../shared/model/settings/saved-prompts'
import { UsageError } from '../../command/arguments'
import type { Command } from '../../command/command'
import { jsonOutput, terminalText } from '../../terminal/output'

/** Command `skein prompts`. */
export const promptsCommand: Command = {
  name: 'prompts',
  synopsis: '[NAME]',
  summary: 'lists the saved prompts of a home and their fields, or prints one',
  flags: [],
  options: [['NAME', 'prints its text; "skein ask --prompt NAME" sends it']],
  async run({ args, disk, output }) {
    const root = args.roots.find(({ source }) => source === 'chibi')
    if (root === undefined)
      throw new UsageError('"skein prompts" needs a home: --home DIR, or --root chibi=DIR.')
    const [given, ...more] = args.operands
    const name = given?.replace(/^\//, '')
    if (more.length > 0) throw new UsageError('It is "skein prompts" or "skein prompts NAME".')
    const texts = openHomeTexts(disk, root.path)
    if (name === undefined) {
      const prompts = await texts.prompts()
      if (args.json) await output.write(jsonOutput({ prompts: prompts.map(asJson) }))
      else for (const one of prompts) await output.write(terminalText(lineOf(one)))
      return 0
    }
    const file = promptFile(name)
    const text = file === undefined ? null : await texts.read(file)
    if (text === null)
      throw new AppError('not-found', `There is no prompt "${name}"; "skein prompts" lists them.`)
    const shown = promptMessage(text)
    if (args.json)
      await output.write(jsonOutput({ ...asJson(describePrompt(name, text)), text: shown }))
    else await output.write(terminalText(`${shown}\n`))
    return 0
  },
}

function asJson({ name, about, fields, fault }: SavedPrompt): object {
  return {
    name,
    about,
    fields: fields.map((field) => ({ name: field.name, default: field.default ?? null })),
    problem: fault ?? null,
  }
}

function lineOf({ name, about, fields, fault }: SavedPrompt): string {
  const words = [name, ...fields.map(fieldText), fault ?? about]
  return `${words.filter((word) => word !== '').join('  ')}\n`
}

function fieldText(field: PromptField): string {
  return `{{${field.name}${field.default === undefined ? '' : `:${field.default}`}}}`
}
