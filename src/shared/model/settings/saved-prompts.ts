import { z } from 'zod'
import { firstWords } from '../basics/first-words'
import { HomeTextName, knownHomeTexts } from './home-texts'

/** Part of a saved prompt that is asked for: `{{name}}`, or `{{name:default}}`. */
export const PromptField = z.object({
  name: z.string(),
  /** Taken where nothing else is given; absent where something must be. */
  default: z.string().optional(),
})
export type PromptField = z.infer<typeof PromptField>

/** A saved prompt of a home, the file `prompts/NAME.md`, without its text. */
export const SavedPrompt = z.object({
  /** As it is typed after the slash. */
  name: z.string(),
  /** Its first line with words, cut. */
  about: z.string(),
  /** In the order in which they come, each once. */
  fields: z.array(PromptField),
  /** Why it cannot be used, in a sentence. */
  fault: z.string().optional(),
})
export type SavedPrompt = z.infer<typeof SavedPrompt>

/** Returns the text of a home that a saved prompt is; undefined for a name that none can have. */
export function promptFile(name: string): HomeTextName | undefined {
  const { data } = HomeTextName.safeParse(`prompts/${name}.md`)
  return data === undefined || !isFree(data) ? undefined : data
}

/** Returns the name of the saved prompt that a text of a home is; undefined for all other texts. */
export function promptNameOf(text: HomeTextName): string | undefined {
  const name = /^prompts\/(.*)\.md$/su.exec(text)?.[1]
  return name === undefined || !isFree(text) ? undefined : name
}

const deletedForm = /^(prompts\/.+)\.deleted(?:-\d{1,4})?\.md$/isu

/** Returns the name that a deleted prompt had, whose file is kept; undefined for all other texts. */
export function deletedPromptOf(text: HomeTextName): string | undefined {
  const before = deletedForm.exec(text)?.[1]
  return before === undefined ? undefined : promptNameOf(`${before}.md`)
}

/** Returns the text under which the n-th deleted prompt of a name is kept, from 1; undefined where there is no such text. */
export function deletedPromptFile(name: string, n: number): HomeTextName | undefined {
  const number = n === 1 ? '' : `-${n}`
  return HomeTextName.safeParse(`prompts/${name}.deleted${number}.md`).data
}

/** Returns true for names of which a home has only one prompt: they differ in case alone, which many disks ignore. */
export function isSamePromptName(a: string, b: string): boolean {
  return a.normalize('NFC').toLowerCase() === b.normalize('NFC').toLowerCase()
}

/** Says in a sentence why no prompt can be saved under a name; undefined where one can. */
export function promptNameFault(name: string): string | undefined {
  if (name === '') return 'It needs a name.'
  if (promptFile(name) !== undefined) return undefined
  const { data } = HomeTextName.safeParse(`prompts/${name}.md`)
  if (data !== undefined && isOfChibi(data))
    return `“${name}” has a meaning of its own in this home.`
  if (isDevice(name)) return `“${name}” is the name of a device on Windows.`
  if (data !== undefined) return 'A name that ends in “.deleted” is of a deleted prompt.'
  if (/^[.-]/.test(name)) return 'It begins with a letter, a digit or “_”.'
  return /[^\p{L}\p{M}\p{N}_.-]/u.test(name)
    ? 'It has letters, digits, “-”, “_” and “.”, and no spaces.'
    : 'It is too long.'
}

/** Makes a name for a prompt of its first words: `Review this code` becomes `review-this-code`. May be empty. */
export function suggestedPromptName(text: string): string {
  const words = text
    .replace(fieldForm, ' ')
    .slice(0, 200)
    .toLowerCase()
    .match(/[\p{L}\p{M}\p{N}_]+/gu)
  const name = (words ?? []).slice(0, 4).join('-').slice(0, 40).replace(/-$/, '')
  return promptNameFault(name) === undefined ? name : ''
}

function isFree(text: HomeTextName): boolean {
  const name = text.replace(/^prompts\/|\.md$/g, '')
  return !isOfChibi(text) && !deletedForm.test(text) && !isDevice(name)
}

/** Windows takes these for devices, whatever is behind a point. */
function isDevice(name: string): boolean {
  return /^(?:con|prn|aux|nul|conin\$|conout\$|(?:com|lpt)[0-9¹²³])(?:\.|$)/i.test(name)
}

/** Names that chibi and Skein give a meaning, on disks that ignore case too. */
function isOfChibi(text: HomeTextName): boolean {
  return knownHomeTexts.includes(text.toLowerCase() as HomeTextName)
}

/** Words of a name are letters, digits, spaces, `_` and `-`: what templates of other programs have in braces mostly is none. */
const fieldForm =
  /\{\{([\p{L}_](?:[\p{L}\p{M}\p{N}_ -]{0,38}[\p{L}\p{M}\p{N}_])?)(?::([^{}\n]{0,400}))?\}\}/gu

/** A field as it is in a text: where it begins and ends, in UTF-16 units. */
export interface PlacedField extends PromptField {
  readonly start: number
  readonly end: number
}

/** Finds the fields of a text in order; one that comes twice is there twice. O(text). */
export function fieldsIn(text: string): readonly PlacedField[] {
  return Array.from(text.matchAll(fieldForm), (found) => {
    const [whole, name = '', value] = found
    return {
      name,
      ...(value === undefined ? {} : { default: value }),
      start: found.index,
      end: found.index + whole.length,
    }
  })
}

/** Most fields of one prompt: they are asked one after the other, and each is part of every list of prompts. */
const mostFields = 50

/**
 * Returns the fields of a text, each once; a default counts wherever it is given first. It stops at the first one beyond
 * `mostFields`, which it still returns.
 */
export function distinctFields(text: string): readonly PromptField[] {
  const fields = new Map<string, PromptField>()
  for (const [, name = '', value] of text.matchAll(fieldForm)) {
    const known = fields.get(name)
    if (known === undefined || known.default === undefined)
      fields.set(name, { name, ...(value === undefined ? {} : { default: value }) })
    if (fields.size > mostFields) break
  }
  return [...fields.values()]
}

/**
 * Puts values in the places of fields. A field without a value gets its default, also where that is given at another of
 * its places; one without either stays as it is.
 *
 * @param only names of the fields that are filled; all where it is absent
 */
export function fillFields(
  text: string,
  values: ReadonlyMap<string, string>,
  only?: ReadonlySet<string>,
): string {
  const defaults = new Map<string, string>()
  for (const { name, default: value } of fieldsIn(text))
    if (value !== undefined && !defaults.has(name)) defaults.set(name, value)
  return text.replace(fieldForm, (whole, name: string) =>
    only?.has(name) === false ? whole : (values.get(name) ?? defaults.get(name) ?? whole),
  )
}

/** Describes a prompt by its text; null where it is not there. */
export function describePrompt(name: string, text: string | null): SavedPrompt {
  if (text === null) return { name, about: '', fields: [], fault: 'It is not there any more.' }
  const fields = distinctFields(text)
  const fault =
    text.trim() === ''
      ? 'It has no text.'
      : fields.length > mostFields
        ? `It has more than ${mostFields} fields.`
        : undefined
  const line = text.split(/\r?\n/, 200).find((one) => /[\p{L}\p{N}]/u.test(one)) ?? ''
  return {
    name,
    about: firstWords(line.replace(/^[#>*\s-]+/, ''), 120),
    fields: fields.slice(0, mostFields),
    ...(fault === undefined ? {} : { fault }),
  }
}

/** Returns the text of a prompt as it goes into a message: without a byte order mark and the end of its last line. */
export function promptMessage(text: string): string {
  return text
    .replace(/^\uFEFF/, '')
    .replace(/\r\n?/g, '\n')
    .replace(/\n+$/, '')
}
