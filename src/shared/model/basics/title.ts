import { z } from 'zod'
import { replaceControls } from './visible'
import { wellFormed } from './well-formed'

/** Origin of a title that was given in Skein: a person or a model, and when. */
export const TitleGiver = z.object({
  by: z.enum(['person', 'model']),
  /** With `model`: which one. */
  model: z.string().optional(),
  /** Unix seconds. */
  at: z.number(),
})
export type TitleGiver = z.infer<typeof TitleGiver>

/** A person may write a longer one than a model, which is asked for a few words. In characters. */
export const longestOwnTitle = 200

// Without a width, and between letters of no script. (Joiners stay: Persian and emoji are written with them.)
const widthless = /[\u200b\u2060-\u2065\ufeff]/g

/**
 * Makes a title of a text: one line of whole characters, all of them visible, cut with an ellipsis where it is
 * longer than `most` characters. Empty where nothing is left.
 */
export function titleLine(text: string, most: number): string {
  // Enough for `most` characters also when many are white space; the rest is not read.
  const line = replaceControls(wellFormed(text.slice(0, most * 8)), ' ')
    .replace(widthless, ' ')
    .replace(/\s+/g, ' ')
    .trim()
  const characters = Array.from(line)
  if (characters.length <= most) return line
  return `${characters
    .slice(0, most - 1)
    .join('')
    .trimEnd()}…`
}

/**
 * Makes up a context's name of the day it begins on, which none has yet: `chat-2026-11-28`, `chat-2026-11-28-2`.
 *
 * @param taken lower-case names: some file systems tell no upper case from lower
 */
export function generateName(day: Date, taken: ReadonlySet<string>): string {
  const two = (number: number) => String(number).padStart(2, '0')
  const name = `chat-${day.getFullYear()}-${two(day.getMonth() + 1)}-${two(day.getDate())}`
  if (!taken.has(name)) return name
  let number = 2
  while (taken.has(`${name}-${number}`)) number++
  return `${name}-${number}`
}

/** Names that nobody chose: Skein's `chat-2026-11-28-2`, chibi's `20261128_164853`. */
const madeName = /^(?:chat-\d{4}-\d{2}-\d{2}|\d{8}_\d{6})(?:[-_]\d+)?$/

/** Returns true where a program made a context's name; any other name is a title that a person wrote. */
export function isGeneratedName(name: string): boolean {
  return madeName.test(name)
}
